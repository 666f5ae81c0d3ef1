// All runs of this process as the engine keeps them: the one that goes, those that wait, those that ended. The page asks
// while something is under way; between looks the events of the run itself come by themselves.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { EndedRun, RunRequest, RunsNow, WireError } from '../../ipc/types';
import { LiveRun } from './live.svelte';

const EVERY_MS = 700;
const SOON_MS = 120;
const NOTHING: RunsNow = { current: null, queue: [], ended: [] };

export class Desk {
  now = $state.raw<RunsNow>(NOTHING);
  /** The last thing asked here that did not work. */
  error = $state.raw<WireError | null>(null);
  readonly live: LiveRun;
  /** Whether a run goes, waits or is being scored. */
  readonly busy = $derived(this.now.current !== null || this.now.queue.length > 0);

  #client: Client;
  #onEnded: (ended: EndedRun) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #known: Set<string> | null = null;
  #gone = false;

  /** `onEnded` is called once for each run that ends while the page is there, after it has been scored. */
  constructor(client: Client, onEnded: (ended: EndedRun) => void) {
    this.#client = client;
    this.#onEnded = onEnded;
    // The end of its attempts is known before the next look; scoring may follow.
    this.live = new LiveRun(client, () => void this.look());
  }

  /** Asks where things stand, takes up the run that goes, and goes on asking while there is something to see. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#gone) return;
    try {
      await this.#take(await this.#client.call('runs_now', {}));
    } catch (error) {
      this.error = toWireError(error);
    }
    this.#again();
  }

  /** The page goes. */
  end(): void {
    this.#gone = true;
    clearTimeout(this.#timer);
  }

  /** Puts runs at the end of the queue; says whether that worked. */
  start = (requests: RunRequest[]): Promise<boolean> => this.#ask(() => this.#client.call('run_queue', { requests }));

  remove = (run: string): Promise<boolean> => this.#ask(() => this.#client.call('run_unqueue', { run }));

  move = (run: string, to: number): Promise<boolean> => this.#ask(() => this.#client.call('run_move', { run, to }));

  pause = (run: string): Promise<boolean> => this.#ask(() => this.#client.call('run_pause', { run }));

  unpause = (run: string): Promise<boolean> => this.#ask(() => this.#client.call('run_unpause', { run }));

  cancel = (run: string): Promise<boolean> =>
    this.#ask(async () => {
      if (this.live.run === run) this.live.cancelling = true;
      await this.#client.cancelRun(run);
    });

  /** Empties the queue and stops what goes. */
  stop = (): Promise<boolean> => this.#ask(() => this.#client.call('runs_stop', {}));

  async #ask(work: () => Promise<RunsNow | null | void>): Promise<boolean> {
    this.error = null;
    try {
      const now = await work();
      if (now) await this.#take(now);
      else await this.look();
      return true;
    } catch (error) {
      this.error = toWireError(error);
      return false;
    } finally {
      // Whatever became of it: what goes is looked at again.
      this.#again();
    }
  }

  #again(): void {
    clearTimeout(this.#timer);
    if (this.#gone || !this.busy) return;
    // A run that has no folder yet is about to show its first signs of life, and one that is not watched has just gone.
    const { current } = this.now;
    const soon = current !== null && (current.id === null || current.run !== this.live.run);
    this.#timer = setTimeout(() => void this.look(), soon ? SOON_MS : EVERY_MS);
  }

  async #take(now: RunsNow): Promise<void> {
    this.now = now;
    const { current } = now;
    if (current && current.run !== this.live.run) await this.#watch(current.run);
    // What had ended before the page was there is no news.
    const known = this.#known ?? new Set(now.ended.map(({ run }) => run));
    const news = now.ended.filter(({ run }) => !known.has(run));
    this.#known = new Set(now.ended.map(({ run }) => run));
    for (const ended of news) this.#onEnded(ended);
  }

  /** Takes up a run's events. One that cannot begin may be gone by now; the next look says what became of it. */
  async #watch(run: string): Promise<void> {
    try {
      await this.live.resume(run);
    } catch (error) {
      if (toWireError(error).code !== 'not_found') throw error;
    }
  }
}
