// What was deleted a moment ago, on whichever page: one notice counts it and brings it back. It stays while pages change.
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type { Deleted, Sentence, TrashKind, WireError } from '../ipc/gen';

/** A thing that lies in the trash. */
export interface Deletion {
  kind: TrashKind;
  key: string;
  /** By which people know it. */
  name: string;
}

/** Time after the last deletion, after which the notice goes by itself. */
const SHOWN_MS = 60_000;

export class Deletions {
  /** The last deleted last. */
  all = $state.raw<readonly Deletion[]>([]);
  /** What was to be removed after its days in the trash, and could not be. */
  unremoved = $state.raw<readonly Sentence[]>([]);
  error = $state.raw<WireError | null>(null);
  busy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Tells of a deletion. */
  note(kind: TrashKind, name: string, { key, unremoved }: Deleted): void {
    this.all = [...this.all, { kind, key, name }];
    this.unremoved = [...this.unremoved, ...unremoved];
    this.error = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.close, SHOWN_MS);
  }

  /** Brings everything back, the last deleted first; what cannot come back stays, with the reason. */
  async undo(client: Client): Promise<void> {
    if (this.busy) return;
    [this.busy, this.error] = [true, null];
    clearTimeout(this.#timer);
    for (const deletion of this.all.toReversed()) {
      try {
        await client.call('trash_restore', { kind: deletion.kind, key: deletion.key });
        this.forget(deletion);
      } catch (error) {
        this.error = toWireError(error);
      }
    }
    this.busy = false;
    if (!this.error) this.close();
  }

  /** It is no longer in the trash. */
  forget({ kind, key }: { kind: TrashKind; key: string }): void {
    this.all = this.all.filter((one) => one.kind !== kind || one.key !== key);
  }

  close = (): void => {
    clearTimeout(this.#timer);
    [this.all, this.unremoved, this.error] = [[], [], null];
  };
}

export const deletions = new Deletions();
