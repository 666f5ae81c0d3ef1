import { beforeEach, expect, it, vi } from 'vitest';

// The page as it is before anything is fetched.
beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

const begin = async (system: string) => {
  const { fetchFirst } = await import('../locales');
  const { locale, withWords } = await import('./locale.svelte');
  await fetchFirst(locale.first(system));
  locale.begin(system);
  return { locale, withWords };
};

it.each([
  ['en', 'Runs', 'Run'],
  ['ko', '실행', '실행'],
])('in %s it begins with few words, and a part that is fetched has all of them', async (language, room, run) => {
  const { locale, withWords } = await begin(language);
  expect([locale.language, locale.t.app.rooms.runs]).toEqual([language, room]);
  expect(locale.t.runs).toBeUndefined();
  expect(await withWords(Promise.resolve('a part'))).toBe('a part');
  expect([locale.language, locale.t.words.run, typeof locale.t.runs]).toEqual([language, run, 'object']);
});

it('changes the language when all that is shown can be said in it', async () => {
  const { locale, withWords } = await begin('en');
  locale.choose('ko');
  expect(locale.language).toBe('en');
  await vi.dynamicImportSettled();
  expect(locale.language).toBe('ko');
  expect(locale.t.runs).toBeUndefined();
  await withWords(Promise.resolve());
  locale.choose('en');
  expect([locale.language, locale.t.runs.form.title]).toEqual(['en', 'New run']);
  locale.choose('ko');
  expect(locale.t.runs.form.title).toMatch(/[가-힣]/);
});

it('has all words of the language that was asked for last', async () => {
  const { locale, withWords } = await begin('en');
  const part = withWords(Promise.resolve());
  locale.choose('ko');
  await part;
  expect(locale.language).toBe('ko');
  expect(locale.t.runs.form.title).toMatch(/[가-힣]/);
  expect(locale.said('no judge was asked')).toMatch(/[가-힣]/);
});
