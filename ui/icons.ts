// Makes plain markup of lucide's icons. As they are published, each builds its shapes one by one whenever it is drawn; the
// first screen alone has eleven, and a table one a row.
import type { Plugin } from 'vite';

const ICON = /@lucide\/svelte\/dist\/icons\/[\w-]+\.svelte$/;

interface Icon {
  size: number;
  node: [string, Record<string, string>][];
}

const shape = ([tag, attributes]: Icon['node'][number]): string =>
  `<${tag} ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')} />`;

export const icons: Plugin = {
  name: 'icons',
  enforce: 'pre',
  transform(code, id) {
    if (!ICON.test(id)) return null;
    const data = /const iconData = (\{.*\});/.exec(code)?.[1];
    if (data === undefined) throw new Error(`${id} is not written as lucide's icons are; see ui/icons.ts`);
    const { size, node } = JSON.parse(data) as Icon;
    return {
      code: `<script>let { size = ${size}, ...rest } = $props();</script>
<svg
  xmlns="http://www.w3.org/2000/svg"
  width={size}
  height={size}
  viewBox="0 0 ${size} ${size}"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
  stroke-linecap="round"
  stroke-linejoin="round"
  aria-hidden="true"
  {...rest}>${node.map(shape).join('')}</svg>`,
      map: null,
    };
  },
};
