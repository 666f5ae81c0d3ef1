// What a run missed and the fill of it, as the page shows them. The engine knows both, so a reload loses nothing: a fill
// under way is found among the jobs, the last one's end is asked for.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { Job, FillEnd, RunMisses, WireError } from '../../ipc/gen';
import { Asked } from '../../shared/asked.svelte';
import type { Jobs } from '../../shared/jobs.svelte';

export class MissesOfRun {
  readonly asked = new Asked<RunMisses>();
  /** The fill under way. */
  readonly filling = $derived.by(() => this.#jobs.underWay.find((job) => this.#isOurs(job)) ?? null);
  /** A fill was asked for here and has not shown yet. */
  starting = $state(false);
  /** How the last fill ended. */
  end = $state.raw<FillEnd | null>(null);
  /** Why there was none. */
  error = $state.raw<WireError | null>(null);
  readonly busy = $derived(this.starting || this.filling !== null);

  #client: Client;
  #jobs: Jobs;
  #run: string;

  constructor(client: Client, jobs: Jobs, run: string) {
    this.#client = client;
    this.#jobs = jobs;
    this.#run = run;
  }

  /** Reads what there is, and follows a fill under way; returns how to stop. */
  begin(): () => void {
    this.load();
    // One that was begun elsewhere, such as before a reload, has nobody here who waits for its end.
    return this.#jobs.onOver((job) => {
      if (this.#isOurs(job) && !this.starting) this.load();
    });
  }

  #isOurs = ({ kind, about }: Job): boolean => kind === 'cache_fill' && about[0] === this.#run;

  load = (): void => void this.#read();

  async #read(): Promise<void> {
    const end = this.#client.call('cache_fill_end', { run: this.#run }).catch(() => null);
    await this.asked.load(() => this.#client.call('cache_misses', { run: this.#run }));
    this.end = (await end) ?? this.end;
  }

  /** Asks the real services. What is missing by way of keys was seen before, and is left out. */
  async fill(): Promise<void> {
    this.starting = true;
    this.error = null;
    try {
      this.end = await this.#client.call('cache_fill', { request: { run: this.#run, without_keys: true } });
    } catch (error) {
      this.error = toWireError(error);
    }
    // The end stands beside what is left, not beside what was there before.
    await this.#read();
    this.starting = false;
  }

  async stop(): Promise<void> {
    if (this.filling) await this.#jobs.cancel(this.filling.id);
  }
}
