import type { Sentence, WireError } from '../ipc/gen';
import {
  fetchFirst,
  fetchLanguage,
  isBegun,
  isFetched,
  LANGUAGE_NAMES,
  wordsIn,
  type Language,
  type Messages,
} from '../locales';
import { bytes, count } from './format';
import { render } from './sentence';

const STORED = 'koab.language';

/** The language shown now. Reading `t` or the formats in markup keeps it current. */
class Locale {
  language = $state<Language>('en');
  /** Asked for last: it may still be on its way. */
  #wanted: Language = 'en';
  /** Whether more may be shown than the page begins with. */
  #complete = false;
  #words = $state.raw<Messages>(wordsIn('en'));

  /** The words of the language; what is not fetched `withWords` may only read those of `locales/en/first.ts`. */
  get t(): Messages {
    return this.#words;
  }

  readonly #collator = $derived(new Intl.Collator(this.language, { numeric: true }));

  /** Order of two texts as a reader expects it: `L10` behind `L9`, Hangul by its alphabet. */
  get collation(): (one: string, other: string) => number {
    return this.#collator.compare;
  }

  /** A sentence of the engine, such as why there is no score, in the language shown. */
  said(sentence: Sentence): string;
  said(sentence: Sentence | null | undefined): string | null;
  said(sentence: Sentence | null | undefined): string | null {
    return sentence === null || sentence === undefined ? null : render(sentence, this.language);
  }

  /** An error's sentence in the language shown. */
  saidOf(error: WireError): string {
    return this.said(error.message);
  }

  /** For the first picture: what the page remembers of the user's choice, else what the system asks for. */
  first(system: string): Language {
    const asked = [localStorage.getItem(STORED), system];
    return asked.find((language) => language !== null && Object.hasOwn(LANGUAGE_NAMES, language)) ?? 'en';
  }

  begin(system: string): void {
    this.show(this.first(system));
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

  /** Fetches all that is said in the language. */
  async complete(): Promise<void> {
    if (this.#complete) return;
    let language: Language;
    do {
      language = this.#wanted;
      await fetchLanguage(language);
    } while (language !== this.#wanted);
    this.#complete = true;
    this.show(language);
  }

  private show(language: Language): void {
    this.#wanted = language;
    const [isHere, fetch] = this.#complete ? [isFetched, fetchLanguage] : [isBegun, fetchFirst];
    if (!isHere(language)) {
      // Until then, and where it cannot be fetched, the words that are shown stay.
      fetch(language).then(
        () => {
          if (this.#wanted === language && isHere(language)) this.show(language);
        },
        () => undefined,
      );
      return;
    }
    this.language = language;
    this.#words = wordsIn(language);
    document.documentElement.lang = language;
  }
}

export const locale = new Locale();

/** A part of the page that is fetched, with the words that it says. */
export async function withWords<T>(part: Promise<T>): Promise<T> {
  await Promise.all([part, locale.complete()]);
  return part;
}

/** A number as the language shown writes it; reading it in markup keeps it current. */
export const number = (value: number | null) => count(value, locale.language);

/** The same of a size in bytes. */
export const size = (value: number | null) => bytes(value, locale.language);
