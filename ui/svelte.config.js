import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/**
 * bits-ui writes a style attribute into markup, which our content policy refuses. As a directive it is set through CSSOM,
 * which is allowed.
 */
const bitsStyles = {
  name: 'bits-ui-styles',
  markup: ({ content, filename }) =>
    filename?.includes('/bits-ui/')
      ? { code: content.replaceAll('style="display: contents;"', 'style:display="contents"') }
      : undefined,
};

export default { preprocess: [bitsStyles, vitePreprocess()] };
