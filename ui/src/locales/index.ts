// English is the master: its shape is the type that every other language has to satisfy.
import * as en from './en';
import * as ko from './ko';

export type Messages = typeof en;
/** The tag of English, or of a language whose sentences the engine has a file of. */
export type Language = string;

export const LOCALES = { en, ko } satisfies Record<Language, Messages>;

/** The window's own words in a language, English where it does not have them. */
export function wordsIn(language: Language): Messages {
  return Object.hasOwn(LOCALES, language) ? LOCALES[language as keyof typeof LOCALES] : en;
}

const files = import.meta.glob<Record<string, string>>('../../../src-tauri/messages/*.json', {
  eager: true,
  import: 'default',
});

/** The sentences of each language but English, by their English. The name of a file is its tag. */
export const SENTENCES: Partial<Record<Language, Record<string, string>>> = Object.fromEntries(
  Object.entries(files).map(([path, file]) => [path.replace(/^.*\/|\.json$/g, ''), file]),
);

/** A language's name in the words of one. */
export function languageName(language: Language, shown: Language): string {
  return new Intl.DisplayNames([shown], { type: 'language' }).of(language) ?? language;
}

/** Each language in its own words, so that a reader finds it whatever is shown now. */
export const LANGUAGE_NAMES: Record<Language, string> = Object.fromEntries(
  [...Object.keys(SENTENCES), 'en'].map((language) => [language, languageName(language, language)]),
);
