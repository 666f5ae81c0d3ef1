// The guide that comes with the program, as text, and what its links and pictures are inside the window.
//
// The same files are read on the page of the repository, so links are relative there: `compare.md`, `../pictures/en/run.png`.
import type { Addresses } from '../../shared/safeHtml';
import { HELP_PAGES, type HelpPage } from '../../shared/helpPages';
import { at } from '../../shared/route.svelte';

type Texts = Record<string, () => Promise<string>>;
const GUIDE: Texts = import.meta.glob<string>('../../../../docs/guide/*/*.md', { query: '?raw', import: 'default' });
const DESIGN: Texts = import.meta.glob<string>('../../../../docs/design/*.md', { query: '?raw', import: 'default' });
const PICTURES = import.meta.glob<string>('../../../../docs/guide/pictures/*/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
});

const nameOf = (path: string) => path.replace(/^.*\/|\.\w+$/g, '');

/** Names of the pages on how it works inside, which are written in English only. */
export const DESIGN_PAGES = Object.keys(DESIGN).map(nameOf).sort();

/** What a picture's address in the guide is here. */
const pictureOf = (language: string, href: string) =>
  PICTURES[`../../../../docs/guide/${new URL(href, `guide:///${language}/`).pathname.slice(1)}`] ?? null;

const isPage = (name: string): name is HelpPage => (HELP_PAGES as readonly string[]).includes(name);

/** Where links and pictures of a page in this language lead. */
export const addresses = (language: string): Addresses => ({
  link: (href) => (/^[\w-]+\.md$/.test(href) && isPage(nameOf(href)) ? at('help', nameOf(href)) : null),
  picture: (href) => pictureOf(language, href),
});

export interface Found {
  read: () => Promise<string>;
  /** Language of the text, which is English where there is no other. */
  language: string;
}

/** The page at an address behind `#/help`; nothing where there is none. */
export function pageAt([first = 'README', second]: string[], language: string): Found | null {
  if (first === 'design') {
    const read = DESIGN[`../../../../docs/design/${second}.md`];
    return read ? { read, language: 'en' } : null;
  }
  for (const tag of [language, 'en']) {
    const read = GUIDE[`../../../../docs/guide/${tag}/${first}.md`];
    if (read) return { read, language: tag };
  }
  return null;
}

/** Lines that were broken to fit the source become paragraphs again; code stays as it is. */
export const unwrapped = (text: string): string =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, index) => (index % 2 ? part : part.replace(/([^\n|])\n[ \t]*(?=[^\s\-*|#>\d!])/g, '$1 ')))
    .join('');
