import { describe, expect, it } from 'vitest';

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
    expect(importing(/from '@tauri-apps\//)).toEqual(['./platform/tauri.ts']);
  });

  it('shared parts know no feature', () => {
    expect(importing(/features\//, 'shared/')).toEqual([]);
  });

  it('no feature knows another', () => {
    expect(importing(/from '\.\.\/(?!\.\.)/, 'features/')).toEqual([]);
  });

  it('nobody looks into an error’s text', () => {
    expect(importing(/error\.message\.(includes|match|startsWith|indexOf)|\.message ===/)).toEqual([]);
  });
});
