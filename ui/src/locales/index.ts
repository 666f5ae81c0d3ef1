// English is the master: its shape is the type that every other language has to satisfy.
import * as en from './en';

export type Messages = typeof en;
/** The tag of English, or of a language whose sentences the engine has a file of. */
export type Language = string;

/** The words of a language, or some of them. */
export type Words = { readonly [key: string]: unknown };

/** English is there from the start, another language from when it has been fetched: most who start need one of them. */
const fetched: Record<Language, Messages> = { en };

/** A folder here is a language of the window's own words; its name is the tag. */
const folders = Object.fromEntries(
  Object.entries(import.meta.glob<Words>(['./*/index.ts', '!./en/index.ts'])).map(([path, words]) => [
    path.split('/')[1] ?? '',
    words,
  ]),
);

/** The window's own words in a language, English where it does not have them. */
export function wordsIn(language: Language): Messages {
  return (Object.hasOwn(fetched, language) && fetched[language]) || en;
}

/** A language's words with the English ones in place of those that it does not have. */
export function filled<T>(english: T, words: unknown): T {
  if (typeof english !== 'object' || english === null || Array.isArray(english)) return (words as T) ?? english;
  const own = (words ?? {}) as Words;
  return Object.fromEntries(Object.entries(english).map(([key, value]) => [key, filled(value, own[key])])) as T;
}

const files = Object.fromEntries(
  Object.entries(
    import.meta.glob<Record<string, string>>('../../../src-tauri/messages/*.json', { import: 'default' }),
  ).map(([path, file]) => [path.replace(/^.*\/|\.json$/g, ''), file]),
);

/** The sentences of each language but English that was fetched, by their English. The name of a file is its tag. */
export const SENTENCES: Partial<Record<Language, Record<string, string>>> = {};

/** Whether everything that is said in a language is here. */
export function isFetched(language: Language): boolean {
  return language in SENTENCES || !(language in files);
}

/** Fetches what is said in a language, once. */
export async function fetchLanguage(language: Language): Promise<void> {
  const file = files[language];
  if (!file || isFetched(language)) return;
  const [sentences, words] = await Promise.all([file(), folders[language]?.()]);
  fetched[language] = filled(en, words);
  SENTENCES[language] = sentences;
}

/** A language's name in the words of one. */
export function languageName(language: Language, shown: Language): string {
  return new Intl.DisplayNames([shown], { type: 'language' }).of(language) ?? language;
}

/** Each language in its own words, so that a reader finds it whatever is shown now. */
export const LANGUAGE_NAMES: Record<Language, string> = Object.fromEntries(
  [...Object.keys(files), 'en'].map((language) => [language, languageName(language, language)]),
);
