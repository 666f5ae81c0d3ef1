// An open draft: every change goes to the engine by itself, one after the other, each naming the revision that was seen.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { DraftChange, DraftItemView, DraftOpened, Fault, Finding, WireError } from '../../ipc/gen';

/** What has not been kept yet. */
export type Keeping = 'kept' | 'waiting' | 'keeping' | 'stale' | 'failed';

/** The outcome of a change, for whoever made it. */
export type Outcome =
  { kind: 'kept'; item: DraftItemView | null } | { kind: 'refused'; problems: Finding<Fault>[] } | { kind: 'not' };

/** A pause in typing after which what was typed is kept. */
const PAUSE_MS = 400;

interface Wish {
  change: DraftChange;
  tell: (outcome: Outcome) => void;
}

export class OpenDraft {
  readonly name: string;
  opened = $state.raw<DraftOpened | null>(null);
  error = $state.raw<WireError | null>(null);
  keeping = $state<Keeping>('kept');
  /** The item that was changed last, as the engine sees it. */
  latest = $state.raw<DraftItemView | null>(null);
  /** What was taken away last, for bringing it back. */
  removed = $state.raw<{ key: number; name: string } | null>(null);

  #client: Client;
  #onSaved: () => void;
  #revision = 0;
  #wishes: Wish[] = [];
  #typed = new Map<number, Wish>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;

  constructor(client: Client, name: string, onSaved: () => void) {
    this.#client = client;
    this.#onSaved = onSaved;
    this.name = name;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Reads the draft from the engine. What is still to be kept stays to be kept. */
  async load(): Promise<void> {
    try {
      const opened = await this.#client.call('draft_open', { name: this.name });
      this.#revision = Math.max(this.#revision, opened.revision);
      this.opened = opened;
      this.error = null;
    } catch (thrown) {
      this.error = toWireError(thrown);
    }
  }

  /** Makes a change, after those before it. */
  change(change: DraftChange): Promise<Outcome> {
    this.#flush();
    return new Promise((tell) => {
      this.#wishes.push({ change, tell });
      void this.#work();
    });
  }

  /** Keeps what is typed into an item when the typing pauses. */
  type(key: number, change: DraftChange, tell: (outcome: Outcome) => void): void {
    this.#typed.set(key, { change, tell });
    if (this.keeping === 'kept') this.keeping = 'waiting';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#flush();
      void this.#work();
    }, PAUSE_MS);
  }

  /** Keeps at once what was typed; resolves when all is. */
  async settle(): Promise<boolean> {
    this.#flush();
    await this.#work();
    return this.keeping === 'kept';
  }

  /** Shows what the other window did; what was not kept here is given up. */
  async giveUp(): Promise<void> {
    for (const { tell } of this.#wishes.splice(0)) tell({ kind: 'not' });
    this.#typed.clear();
    this.#revision = 0;
    this.latest = null;
    await this.load();
    this.keeping = 'kept';
  }

  /** Makes the changes of this window upon what the other one did. */
  async insist(): Promise<void> {
    await this.load();
    this.keeping = 'waiting';
    await this.#work();
  }

  async retry(): Promise<void> {
    this.error = null;
    this.keeping = 'waiting';
    await this.#work();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    for (const wish of this.#typed.values()) this.#wishes.push(wish);
    this.#typed.clear();
  }

  async #work(): Promise<void> {
    if (this.#busy || this.keeping === 'stale' || this.keeping === 'failed') return;
    this.#busy = true;
    let changed = false;
    for (let wish = this.#wishes[0]; wish; wish = this.#wishes[0]) {
      this.keeping = 'keeping';
      const kept = await this.#make(wish);
      if (!kept) break;
      this.#wishes.shift();
      changed = true;
    }
    this.#busy = false;
    if (this.keeping === 'keeping' || this.keeping === 'waiting')
      this.keeping = this.#typed.size > 0 ? 'waiting' : 'kept';
    // Lists and what other items say of this one.
    if (changed) await this.load();
  }

  /** Whether the wish is done with. */
  async #make({ change, tell }: Wish): Promise<boolean> {
    try {
      const answer = await this.#client.call('draft_change', { name: this.name, revision: this.#revision, change });
      if (answer.kind === 'stale') {
        this.keeping = 'stale';
        return false;
      }
      if (answer.kind === 'refused') {
        tell({ kind: 'refused', problems: answer.problems });
        return true;
      }
      this.#revision = answer.revision;
      if (answer.item) this.latest = answer.item;
      tell({ kind: 'kept', item: answer.item });
      return true;
    } catch (thrown) {
      this.error = toWireError(thrown);
      this.keeping = 'failed';
      return false;
    }
  }

  /** Takes a task or tool away, to be brought back by `undo`. */
  async remove(key: number, name: string): Promise<void> {
    const outcome = await this.change({ kind: 'remove', key });
    if (outcome.kind === 'kept') this.removed = { key, name };
  }

  async undo(): Promise<void> {
    const { removed } = this;
    if (!removed) return;
    this.removed = null;
    await this.change({ kind: 'restore', key: removed.key });
  }

  /** A version was saved: lists of packs elsewhere are old, and so is the revision here. */
  async saved(): Promise<void> {
    this.removed = null;
    this.#revision = 0;
    this.#onSaved();
    await this.load();
  }
}
