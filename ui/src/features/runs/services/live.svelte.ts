import type { Client } from '../../../ipc/client';
import type { RunEvent } from '../../../ipc/gen';
import type { reduceAll } from '../state/reduce';
import { IDLE, type RunState } from '../state/state';

/** The run that this page watches: its events go through the reducer. */
export class LiveRun {
  // Raw: the reducer replaces what changed, and proxies over a thousand cells would cost more than they save.
  state = $state.raw<RunState>(IDLE);
  /** The run's id from the moment it was asked for. */
  run = $state<string | null>(null);
  /** Asked to stop; it is over when its last event says so. */
  cancelling = $state(false);

  #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Watches a run from its first event on, however long ago that was. */
  async resume(run: string): Promise<void> {
    this.#watch(run);
    try {
      // Fetched with the first run: the page is shown without it.
      const { reduceAll } = await import('../state/reduce');
      await this.#client.subscribe(run, (events) => this.#take(run, reduceAll, events));
    } catch (error) {
      this.#watch(null);
      throw error;
    }
  }

  #watch(run: string | null): void {
    this.run = run;
    this.state = IDLE;
    this.cancelling = false;
  }

  #take(run: string, reduce: typeof reduceAll, events: RunEvent[]): void {
    if (this.run !== run || this.state.phase === 'over') return;
    this.state = reduce(this.state, events);
    if (this.state.phase === 'over') this.cancelling = false;
  }
}
