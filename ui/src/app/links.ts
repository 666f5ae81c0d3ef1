// Links into the product: `koab://run/<id>`, `koab://report/<id>`, `koab://compare?reports=a,b`, `koab://import?path=…`.
// Anybody can write one, so a link only shows things: what would change something is asked first.
import { SCREENS, SHOWN } from '../shared/link';
import { at, parsePlace } from '../shared/route.svelte';

/** Where a link leads: a place, or files that may be imported. */
export type Target = { address: string } | { files: string } | { importing: true };

/** What a link means; `null` where it means nothing here. */
export function targetOf(link: string): Target | null {
  const [, path] = /^koab:\/*(.*)$/is.exec(link) ?? [];
  if (path === undefined) return null;
  const { screen, rest, query } = parsePlace(path);
  const { path: files } = query;
  if (screen === 'import') return files ? { files } : { importing: true };
  const area = SCREENS[screen];
  if (!area) return null;
  // A link that names nothing of an area leads to the area itself.
  const shown = Object.entries(query).filter(([key, value]) => SHOWN.includes(key) && value !== '');
  return { address: at(area, ...rest, Object.fromEntries(shown)) };
}
