// The trial of one model, as the engine knows it: begun, followed, stopped, and found again after a reload.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { LocalTrial, LocalTrialRequest, WireError } from '../../ipc/types';

const EVERY_MS = 500;

export class Trial {
  current = $state.raw<LocalTrial | null>(null);
  /** Why it could not begin, or is not heard of. */
  error = $state.raw<WireError | null>(null);
  beginning = $state(false);
  /** Whether it was asked to stop and has not yet. */
  stopping = $state(false);
  readonly going = $derived(this.current !== null && this.current.step !== 'over');

  #client: Client;
  #name: string;
  #onOver: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** `onOver` is told when a trial that was seen under way has ended. */
  constructor(client: Client, name: string, onOver: () => void) {
    this.#client = client;
    this.#name = name;
    this.#onOver = onOver;
  }

  async begin(request: LocalTrialRequest): Promise<void> {
    this.error = null;
    this.beginning = true;
    try {
      this.#show(await this.#client.call('local_trial_start', { request }));
      this.#client.longBegan();
    } catch (error) {
      this.error = toWireError(error);
    } finally {
      this.beginning = false;
    }
  }

  async cancel(): Promise<void> {
    if (!this.current) return;
    this.stopping = true;
    // One that is over meanwhile needs no stopping.
    await this.#client.call('activity_cancel', { id: this.current.activity }).catch(() => undefined);
    await this.look();
  }

  async look(): Promise<void> {
    try {
      this.#show(await this.#client.call('local_trial', { name: this.#name }));
      this.error = null;
    } catch (error) {
      this.error = toWireError(error);
      // It goes on all the same: the next look may find it.
      this.#again();
    }
  }

  /** Ends the asking; the trial goes on without a page. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #show(now: LocalTrial | null): void {
    const before = this.going;
    this.current = now;
    if (!this.going) this.stopping = false;
    if (before && !this.going) this.#onOver();
    this.#again();
  }

  #again(): void {
    clearTimeout(this.#timer);
    if (this.going && !this.#closed) this.#timer = setTimeout(() => void this.look(), EVERY_MS);
  }
}
