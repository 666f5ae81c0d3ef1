import type { WireError } from '../ipc/types';
import { LOCALES, type Language, type Messages } from '../locales';
import { Sentences } from './sentences.svelte';

const STORED = 'koab.language';

/** The language shown now. Reading `t` or the formats in markup keeps it current. */
class Locale {
  language = $state<Language>('en');

  readonly t: Messages = $derived(LOCALES[this.language]);

  /** Where Korean for the engine's sentences comes from. */
  readonly sentences = new Sentences();

  readonly #collator = $derived(new Intl.Collator(this.language, { numeric: true }));

  /** Order of two texts as a reader expects it: `L10` behind `L9`, Hangul by its alphabet. */
  get collation(): (one: string, other: string) => number {
    return this.#collator.compare;
  }

  /** A sentence of the engine, such as why there is no score, in the language shown. */
  said(sentence: string): string;
  said(sentence: string | null | undefined): string | null;
  said(sentence: string | null | undefined): string | null {
    if (sentence === null || sentence === undefined) return null;
    return this.language === 'ko' ? this.sentences.korean(sentence) : sentence;
  }

  /** An error's sentence in the language shown. Errors bring their Korean along: they have to be right at once. */
  saidOf(error: WireError): string {
    return this.language === 'ko' ? (error.korean ?? error.message) : error.message;
  }

  /** For the first picture: what the page remembers of the user's choice, else what the system asks for. */
  begin(system: string): void {
    const chosen = localStorage.getItem(STORED);
    this.show(chosen === 'ko' || chosen === 'en' ? chosen : system === 'ko' ? 'ko' : 'en');
  }

  /** What the workspace says; without a choice there, what the system asks for. */
  adopt(chosen: Language | null, system: string): void {
    if (chosen) this.choose(chosen);
    else {
      localStorage.removeItem(STORED);
      this.begin(system);
    }
  }

  choose(language: Language): void {
    localStorage.setItem(STORED, language);
    this.show(language);
  }

  private show(language: Language): void {
    this.language = language;
    document.documentElement.lang = language;
  }
}

export const locale = new Locale();
