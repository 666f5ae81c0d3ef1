// What the engine has under way beside runs. Asked for while something is under way, when a call takes long, because long
// calls are what begins an activity, and while a run has yet to begin or is scored; never in idle times.
import { untrack } from 'svelte';
import type { Client } from '../ipc/client';
import type { Activity } from '../ipc/types';

const EVERY_MS = 500;

export class Activities {
  all = $state.raw<Activity[]>([]);
  readonly underWay = $derived(this.all.filter(({ finished }) => !finished));

  #client: Client;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #looked = -EVERY_MS;
  #expecting = false;
  #over: ((ended: Activity) => void)[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Looks once, and from then on whenever it is worth it; returns how to stop. */
  begin(): () => void {
    const stop = this.#client.onLong(() => this.#soon());
    const back = () => void (document.visibilityState === 'visible' && this.#soon());
    document.addEventListener('visibilitychange', back);
    void this.look();
    return () => {
      stop();
      document.removeEventListener('visibilitychange', back);
      this.#expecting = false;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Calls back for each activity that was seen under way and is over. Returns how to stop. */
  onOver(over: (ended: Activity) => void): () => void {
    this.#over.push(over);
    return () => (this.#over = this.#over.filter((one) => one !== over));
  }

  /**
   * As long as something may begin one without a call of this page, such as a run that waits for its model. Called from
   * effects, which must not come to depend on what a look reads: it writes that as well, and each answer would ask again.
   */
  expect(on: boolean): void {
    this.#expecting = on;
    if (on) untrack(() => this.#soon());
  }

  async cancel(id: string): Promise<void> {
    await this.#client.call('activity_cancel', { id }).catch(() => undefined);
    await this.look();
  }

  /** Looks at once, or as long after the last look as between any two. */
  #soon(): void {
    const wait = this.#looked + EVERY_MS - performance.now();
    if (wait <= 0) return void this.look();
    if (!this.#asking) this.#later(wait);
  }

  #later(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), wait);
  }

  async look(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    this.#looked = performance.now();
    clearTimeout(this.#timer);
    try {
      const before = new Set(this.underWay.map(({ id }) => id));
      this.all = await this.#client.call('activities_list', {});
      for (const ended of this.all.filter(({ id, finished }) => finished && before.has(id))) {
        for (const tell of this.#over) tell(ended);
      }
    } catch {
      // A host that does not answer now may do so at the next look; the strip then stays as it was.
    } finally {
      this.#asking = false;
    }
    if (this.underWay.length > 0 || this.#expecting) this.#later(EVERY_MS);
  }
}

/** Milliseconds that are probably left; `null` while there is nothing to tell it from. */
export function left({ done, total, took_ms }: Activity): number | null {
  if (total === null || done === 0 || took_ms < 1000) return null;
  return (took_ms / done) * Math.max(0, total - done);
}
