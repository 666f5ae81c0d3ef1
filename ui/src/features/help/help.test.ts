import { describe, expect, it } from 'vitest';
import glossary from '../../../../docs/glossary.md?raw';
import { wordsIn } from '../../locales';
import { HELP_PAGES, helpOf } from '../../shared/helpPages';
import { locale } from '../../shared/locale.svelte';
import { parsePlace, route } from '../../shared/route.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../shared/screenForTests';
import { htmlOf } from '../../shared/safeHtml';
import { AREAS } from '../../app/rooms';
import { addresses, DESIGN_PAGES, pageAt, unwrapped } from './pages';
import Screen from './Screen.svelte';

const FILES = import.meta.glob<string>('../../../../docs/guide/*/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const PICTURES = Object.keys(import.meta.glob('../../../../docs/guide/pictures/*/*.png'));
const LANGUAGES = ['en', 'ko'] as const;
const file = (language: string, page: string) => FILES[`../../../../docs/guide/${language}/${page}.md`] ?? '';

/** The lines outside code. */
const prose = (source: string) =>
  source
    .split(/^```[\s\S]*?^```/m)
    .join('')
    .split('\n');
const depths = (source: string) => prose(source).flatMap((line) => /^(#+) /.exec(line)?.[1]?.length ?? []);
const commands = (source: string) => source.match(/^```[\s\S]*?^```/gm) ?? [];
const targets = (source: string) =>
  [...source.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, mark, href = '']) => ({ picture: mark === '!', href }));

describe('the guide', () => {
  it('has every page in both languages, and no other', () => {
    const wanted = LANGUAGES.flatMap((language) =>
      HELP_PAGES.map((page) => `../../../../docs/guide/${language}/${page}.md`),
    );
    expect(Object.keys(FILES).sort()).toEqual(wanted.sort());
  });

  it.each(HELP_PAGES)('%s has the same headings, commands and pictures in both languages', (page) => {
    const [en, ko] = LANGUAGES.map((language) => file(language, page)) as [string, string];
    expect(depths(ko)).toEqual(depths(en));
    expect(depths(en).filter((depth) => depth === 1)).toEqual([1]);
    // Words in quotes are the reader's own.
    const plain = (source: string) => commands(source).map((block) => block.replace(/"[^"]*"/g, '""'));
    expect(plain(ko)).toEqual(plain(en));
    const shown = (source: string) =>
      targets(source)
        .filter(({ picture }) => picture)
        .map(({ href }) => href.replace(/\/(en|ko)\//, '/'));
    expect(shown(ko)).toEqual(shown(en));
  });

  it.each(LANGUAGES.flatMap((language) => HELP_PAGES.map((page) => [language, page] as const)))(
    '%s/%s has links and pictures that lead somewhere, and a title that the list has',
    (language, page) => {
      const source = file(language, page);
      const own = addresses(language);
      for (const { picture, href } of targets(source)) {
        const found = picture ? own.picture(href) : own.link(href);
        expect(found, href).not.toBeNull();
        if (picture) expect(href).toContain(`/${language}/`);
        else expect(pageAt(parsePlace(found ?? '').rest, language)?.language).toBe(language);
      }
      expect(source.split('\n')[0]).toBe(`# ${wordsIn(language).help.pages[page]}`);
    },
  );

  it('is reached whole from its first page, and shows every picture', () => {
    for (const language of LANGUAGES) {
      const linked = targets(file(language, 'README')).map(({ href }) => href.replace('.md', ''));
      expect(new Set(['README', ...linked])).toEqual(new Set(HELP_PAGES));
      const shown = HELP_PAGES.flatMap((page) => targets(file(language, page))).filter(({ picture }) => picture);
      expect(shown.map(({ href }) => href.replace('..', '../../../../docs/guide')).sort()).toEqual(
        PICTURES.filter((path) => path.includes(`/${language}/`)).sort(),
      );
    }
  });

  it('has no word that is not used', () => {
    const rows = (glossary.split('## Words that are not used')[1] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2);
    const retired = rows
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, word = '', language = '']) => ({ word, language }));
    expect(retired.length).toBeGreaterThan(40);
    const found = Object.entries(FILES).flatMap(([path, source]) =>
      retired
        .filter(
          ({ word, language }) =>
            path.includes(`/${language}/`) && prose(source).join('\n').toLowerCase().includes(word.toLowerCase()),
        )
        .map(({ word }) => `${path}: ${word}`),
    );
    expect(found).toEqual([]);
  });

  it('has a page for every area but the settings', () => {
    expect(AREAS.filter(({ id }) => helpOf(id) === 'README').map(({ id }) => id)).toEqual(['settings']);
  });
});

describe('the help page', () => {
  screensForTests();
  const open = async (at: string, language = 'en') => {
    locale.choose(language);
    await openScreen(Screen, { at });
    expect(find('.rendered h1')).not.toBeNull();
  };

  it('shows a page in the reader’s language, with pictures of its own', async () => {
    await open('#/help/compare', 'ko');
    expect(find('.rendered h1')?.textContent).toBe('비교');
    expect(find('.page')?.getAttribute('lang')).toBe('ko');
    expect(find('.rendered img')?.getAttribute('src')).toMatch(/^\/.*ko\/compare.*\.png/);
    expect(find('[aria-current="page"]')?.getAttribute('data-page')).toBe('compare');
  });

  it('follows a link of a page to another', async () => {
    await open('#/help');
    expect(find('.rendered h1')?.textContent).toBe('Guide');
    find('.rendered a[href="#/help/submit"]')?.click();
    await settle();
    expect(find('.rendered h1')?.textContent).toBe('Submit');
    expect(route.place.rest).toEqual(['submit']);
  });

  it('has how it works inside as well, in English', async () => {
    await open('#/help/design/judges', 'ko');
    expect(find('.page')?.getAttribute('lang')).toBe('en');
    expect(find('.rendered h1')?.textContent).toBe('Judges');
    expect(DESIGN_PAGES.filter((name) => !(name in wordsIn('ko').help.designs))).toEqual([]);
  });

  it('says when there is no such page', async () => {
    locale.choose('en');
    await openScreen(Screen, { at: '#/help/nowhere' });
    await settle();
    expect(text()).toContain('There is no such help page.');
  });
});

describe('addresses of the guide', () => {
  it('lead nowhere but to pages and pictures that are there', () => {
    const own = addresses('en');
    expect([
      own.link('../../ARCHITECTURE.md'),
      own.link('nowhere.md'),
      own.link('https://example.org/compare.md'),
    ]).toEqual([null, null, null]);
    expect([own.picture('../pictures/en/nowhere.png'), own.picture('https://example.org/x.png')]).toEqual([null, null]);
  });

  it('are not those of a model’s text', () => {
    const html = htmlOf('[x](#/help) ![y](/assets/y.png) <img src="/assets/z.png">', (name) => name);
    expect(html).toContain('x');
    expect(html).not.toMatch(/<img|href/);
  });

  it('keep the lines of lists, tables and code', () => {
    expect(unwrapped('a\nb\n\n- c\n  d\n- e\n\n```\nf\ng\n```\n')).toBe('a b\n\n- c d\n- e\n\n```\nf\ng\n```\n');
  });
});
