// The engine's sentences in Korean. The engine writes them in English and knows their Korean; nothing of a sentence is
// looked into here. One that was never shown before is asked for while its English stands there.
import { SvelteMap } from 'svelte/reactivity';

/** Puts sentences into Korean, in their order; null for each that has none, such as what a server said. */
export type InKorean = (texts: string[]) => Promise<(string | null)[]>;

export class Sentences {
  readonly #known = new SvelteMap<string, string | null>();
  readonly #asked = new Set<string>();
  #waiting: string[] = [];
  #inKorean: InKorean | null = null;

  /** Whom to ask. */
  begin(inKorean: InKorean): void {
    this.#inKorean = inKorean;
  }

  /** The sentence in Korean as soon as it is known, until then and where there is none as it is. */
  korean(text: string): string {
    const known = this.#known.get(text);
    if (known === undefined) this.#want(text);
    return known ?? text;
  }

  #want(text: string): void {
    if (text === '' || this.#inKorean === null || this.#asked.has(text)) return;
    this.#asked.add(text);
    // What one picture of the screen shows is one question.
    if (this.#waiting.push(text) === 1) queueMicrotask(() => void this.#ask());
  }

  async #ask(): Promise<void> {
    const texts = this.#waiting;
    this.#waiting = [];
    try {
      const korean = (await this.#inKorean?.(texts)) ?? [];
      texts.forEach((text, at) => this.#known.set(text, korean[at] ?? null));
    } catch {
      // English stays; whatever shows it next asks again.
      for (const text of texts) this.#asked.delete(text);
    }
  }
}
