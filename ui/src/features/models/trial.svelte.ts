// The trial of one model: begun, followed, stopped, and found again after a reload. How far it is, its job tells.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { LocalTrial, LocalTrialRequest, WireError } from '../../ipc/gen';
import type { Jobs } from '../../shared/jobs.svelte';
import { oneAtATime } from '../../shared/oneAtATime';

export class Trial {
  current = $state.raw<LocalTrial | null>(null);
  /** Why it could not begin, or is not heard of. */
  error = $state.raw<WireError | null>(null);
  beginning = $state(false);
  readonly going = $derived(this.current !== null && this.current.found === null && this.current.error === null);
  readonly job = $derived.by(() => this.#jobs.underWay.find(({ id }) => id === this.current?.job) ?? null);
  /** How many answers are asked for is known once the model is loaded. */
  readonly step = $derived(!this.going ? 'over' : this.job?.total == null ? 'opening' : 'answering');

  #client: Client;
  #jobs: Jobs;
  #name: string;
  #onOver: () => void;

  /** `onOver` is told when a trial that was seen under way has ended. */
  constructor(client: Client, jobs: Jobs, name: string, onOver: () => void) {
    this.#client = client;
    this.#jobs = jobs;
    this.#name = name;
    this.#onOver = onOver;
  }

  /** Looks whenever one of this model has ended; returns how to stop. The trial goes on without a page. */
  follow(): () => void {
    return this.#jobs.onChange(({ kind, about, finished }) => {
      if (kind === 'model_trial' && about[0] === this.#name && finished) void this.look();
    });
  }

  async begin(request: LocalTrialRequest): Promise<void> {
    this.error = null;
    this.beginning = true;
    try {
      this.current = await this.#client.call('local_trial_start', { request });
      // Its end may have been told before the answer was here.
      await this.look();
    } catch (error) {
      this.error = toWireError(error);
    } finally {
      this.beginning = false;
    }
  }

  async cancel(): Promise<void> {
    if (this.current) await this.#jobs.cancel(this.current.job);
  }

  look = oneAtATime(async () => {
    try {
      const before = this.going;
      this.current = await this.#client.call('local_trial', { name: this.#name });
      this.error = null;
      if (before && !this.going) this.#onOver();
    } catch (error) {
      this.error = toWireError(error);
    }
  });
}
