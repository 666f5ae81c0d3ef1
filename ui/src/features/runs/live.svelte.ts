import type { Client } from '../../ipc/client';
import type { RunEvent, RunRequest } from '../../ipc/types';
import { reduceAll } from './reduce';
import { IDLE, type RunState } from './state';

/** The run this window watches: its events go through the reducer, its cancel goes out. */
export class LiveRun {
  // Raw: the reducer replaces what changed, and proxies over a thousand cells would cost more than they save.
  state = $state.raw<RunState>(IDLE);
  /** The run's id from the moment it was asked for. */
  run = $state<string | null>(null);
  cancelling = $state(false);

  /** Asked for or running, and not over. */
  readonly active = $derived(this.run !== null && this.state.phase !== 'over');

  #client: Client;
  #onOver: (state: RunState) => void;

  /** `onOver` is called once a run, when its last event is in. */
  constructor(client: Client, onOver: (state: RunState) => void) {
    this.#client = client;
    this.#onOver = onOver;
  }

  /** Starts a run; its channel is open before it begins. Rejects with a `WireError` when it does not begin. */
  async start(request: RunRequest): Promise<void> {
    this.#watch(request.run);
    try {
      await this.#client.startRun(request, (events) => this.#take(request.run, events));
    } catch (error) {
      this.#watch(null);
      throw error;
    }
  }

  /** Takes up a run that began before this page did. */
  async resume(run: string): Promise<void> {
    this.#watch(run);
    try {
      await this.#client.subscribe(run, (events) => this.#take(run, events));
    } catch (error) {
      this.#watch(null);
      throw error;
    }
  }

  /** Asks the run to stop; it is over when its last event says so. */
  async cancel(): Promise<void> {
    if (!this.run || !this.active) return;
    this.cancelling = true;
    try {
      await this.#client.cancelRun(this.run);
    } catch (error) {
      this.cancelling = false;
      throw error;
    }
  }

  #watch(run: string | null): void {
    this.run = run;
    this.state = IDLE;
    this.cancelling = false;
  }

  #take(run: string, events: RunEvent[]): void {
    if (this.run !== run || this.state.phase === 'over') return;
    this.state = reduceAll(this.state, events);
    if (this.state.phase === 'over') {
      this.cancelling = false;
      this.#onOver(this.state);
    }
  }
}
