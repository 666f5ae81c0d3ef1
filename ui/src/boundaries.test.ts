import { describe, expect, it } from 'vitest';
import { first } from './locales/en/first';

const SOURCES = import.meta.glob<string>('./**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true });

/** Files whose imports match, tests left out. */
function importing(pattern: RegExp, among = ''): string[] {
  return Object.entries(SOURCES)
    .filter(([path]) => path.startsWith(`./${among}`) && !path.endsWith('.test.ts'))
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path);
}

describe('borders inside the UI', () => {
  it('one file knows the window', () => {
    expect(importing(/(from |import\()'@tauri-apps\//)).toEqual(['./platform/tauri.ts']);
  });

  it('shared parts know no feature', () => {
    expect(importing(/features\//, 'shared/')).toEqual([]);
  });

  it('no feature knows another', () => {
    const area = (path: string) => /^\/features\/([^/]+)/.exec(path)?.[1];
    const strangers = Object.entries(SOURCES).flatMap(([path, text]) => {
      const { pathname } = new URL(path, 'file:///');
      if (!area(pathname) || path.endsWith('.test.ts')) return [];
      return [...text.matchAll(/(?:from |import\(|import )'(\.[^']+)'/g)]
        .map(([, address = '']) => new URL(address, `file://${pathname}`).pathname)
        .filter((address) => address.startsWith('/features/') && area(address) !== area(pathname))
        .map((address) => `${path} → ${address}`);
    });
    expect(strangers).toEqual([]);
  });

  it('nobody looks into an error’s text', () => {
    expect(importing(/error\.message\.(includes|match|startsWith|indexOf)|\.message ===/)).toEqual([]);
  });
});

/** A file by a relative address in another one; packages have none. */
function fileAt(address: string, from: string): string | undefined {
  const { pathname } = new URL(address, `file:///${from}`);
  return ['', '.ts', '.svelte.ts', '/index.ts'].map((end) => `.${pathname}${end}`).find((path) => path in SOURCES);
}

/** A file and all that it imports before it runs. */
function reached(path: string, all = new Set<string>()): Set<string> {
  if (all.has(path) || path.includes('/locales/')) return all;
  all.add(path);
  for (const [, type, address] of (SOURCES[path] ?? '').matchAll(
    /^\s*(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'/gm,
  )) {
    const found = type ? undefined : fileAt(address ?? '', path);
    if (found) reached(found, all);
  }
  return all;
}

describe('what the page begins with', () => {
  const files = [...reached('./main.ts', reached('./platform/http.ts'))];
  const text = (path: string) => SOURCES[path] ?? '';

  it('is the app, and no screen', () => {
    expect(files).toContain('./app/App.svelte');
    expect(files).toContain('./app/RunList.svelte');
    expect(files.filter((path) => /features\/.*\.svelte$/.test(path))).toEqual([]);
  });

  it('says the words that are there then', () => {
    const said = files.flatMap((path) => {
      const whole = /\bt = \$derived\(locale\.t\)/.test(text(path)) ? /\b(?:locale\.)?t\.(\w+)/g : /locale\.t\.(\w+)/g;
      return [...text(path).matchAll(whole)].map(([, area = '']) => area);
    });
    expect([...new Set(said)].sort()).toEqual(Object.keys(first).sort());
    expect(files.filter((path) => /locale\.said/.test(text(path)))).toEqual([]);
  });

  it('fetches every other part with its words', () => {
    const bare = /(?<!withWords\()import\('[^']+\.svelte'\)/;
    expect(files.filter((path) => bare.test(text(path)))).toEqual([]);
  });
});
