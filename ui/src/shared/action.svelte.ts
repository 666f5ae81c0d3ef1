// What a press of the user sets going.
import { toWireError } from '../ipc/errors';
import type { WireError } from '../ipc/gen';

/** Something that the user has done: under way, done, or why not. A second one while the first goes on is not begun. */
export class Action<A extends unknown[], T> {
  busy = $state(false);
  value = $state.raw<T | null>(null);
  error = $state.raw<WireError | null>(null);
  #work: (...given: A) => Promise<T>;

  constructor(work: (...given: A) => Promise<T>) {
    this.#work = work;
  }

  /** `null` where it failed; `error` then says why. Never throws. */
  run = async (...given: A): Promise<T | null> => {
    if (this.busy) return null;
    this.busy = true;
    this.error = null;
    try {
      return (this.value = await this.#work(...given));
    } catch (error) {
      this.error = toWireError(error);
      return null;
    } finally {
      this.busy = false;
    }
  };

  /** What was said of the last one is read. */
  clear = (): void => {
    this.value = this.error = null;
  };
}
