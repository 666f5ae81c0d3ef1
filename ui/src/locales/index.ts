// English is the master: its shape is the type that every other language has to satisfy.
import { first } from './en/first';

export type Messages = typeof import('./en');
/** The tag of English, or of a language whose sentences the engine has a file of. */
export type Language = string;

/** The words of a language, or some of them. */
export type Words = { readonly [key: string]: unknown };

/** What is known of each language. Of English, the areas that the page begins with are there from the start. */
const known: Record<Language, Messages> = { en: first as Messages };

/** Languages that are known as a whole. */
const whole = new Set<Language>();

/** By the tag of a language, which is the name of its folder here. */
const byLanguage = <T>(files: Record<string, T>): Record<Language, T> =>
  Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split('/')[1] ?? '', file]));

/** The window's own words in each language, and those of them that the page begins with where they have a file. */
const folders = byLanguage(import.meta.glob<Words>(['./*/index.ts', '!./en/index.ts']));
const beginnings = byLanguage(import.meta.glob<Words>(['./*/first.ts', '!./en/first.ts'], { import: 'first' }));

/** The window's own words in a language, English where it does not have them: those that have been fetched. */
export function wordsIn(language: Language): Messages {
  return (Object.hasOwn(known, language) ? known[language] : known['en']) as Messages;
}

/** A language's words with the English ones in place of those that it does not have. */
export function filled<T>(english: T, words: unknown): T {
  if (typeof english !== 'object' || english === null || Array.isArray(english)) return (words as T) ?? english;
  const own = (words ?? {}) as Words;
  return Object.fromEntries(Object.entries(english).map(([key, value]) => [key, filled(value, own[key])])) as T;
}

// As text: there are thousands, and JSON is read several times faster than code.
const files = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>('../../../src-tauri/messages/*.json', { query: '?raw', import: 'default' }),
  ).map(([path, file]) => [path.replace(/^.*\/|\.json$/g, ''), file]),
);

/** The sentences of each language but English that was fetched, by their English. The name of a file is its tag. */
export const SENTENCES: Partial<Record<Language, Record<string, string>>> = {};

/** Whether what the page begins with is here in a language. */
export function isBegun(language: Language): boolean {
  return Object.hasOwn(known, language) || !(language in files);
}

/** Whether everything that is said in a language is here. */
export function isFetched(language: Language): boolean {
  return whole.has(language in files ? language : 'en');
}

/** Fetches what the page begins with in a language, once. */
export async function fetchFirst(language: Language): Promise<void> {
  if (isBegun(language)) return;
  const words = await (beginnings[language] ?? folders[language])?.();
  known[language] ??= filled(wordsIn('en'), words);
}

/** Fetches what is said in a language, once, and the English that stands where it has nothing. */
export async function fetchLanguage(language: Language): Promise<void> {
  if (isFetched(language)) return;
  const [english, words, sentences] = await Promise.all([import('./en'), folders[language]?.(), files[language]?.()]);
  known['en'] = english;
  whole.add('en');
  if (!sentences) return;
  known[language] = filled(english, words);
  SENTENCES[language] = JSON.parse(sentences) as Record<string, string>;
  whole.add(language);
}

/** A language's name in the words of one. */
export function languageName(language: Language, shown: Language): string {
  return new Intl.DisplayNames([shown], { type: 'language' }).of(language) ?? language;
}

/** Each language in its own words, so that a reader finds it whatever is shown now. */
export const LANGUAGE_NAMES: Record<Language, string> = Object.fromEntries(
  [...Object.keys(files), 'en'].map((language) => [language, languageName(language, language)]),
);
