// An answer of the engine on its way to the screen: loading, there, or why not.
import { toWireError } from '../ipc/errors';
import type { WireError } from '../ipc/gen';

/** Asks again whenever `load` is called; an older answer that comes later is dropped. */
export class Asked<T> {
  value = $state.raw<T | null>(null);
  error = $state.raw<WireError | null>(null);
  loading = $state(false);

  #turn = 0;
  #last: (() => Promise<T>) | null = null;

  /** Keeps what is shown until the new answer is there, unless `fresh`. */
  async load(ask: (() => Promise<T>) | null = this.#last, { fresh = false } = {}): Promise<void> {
    if (!ask) return;
    this.#last = ask;
    const turn = ++this.#turn;
    if (fresh) this.value = null;
    this.loading = true;
    this.error = null;
    try {
      const value = await ask();
      if (turn === this.#turn) this.value = value;
    } catch (error) {
      if (turn === this.#turn) this.error = toWireError(error);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }
}
