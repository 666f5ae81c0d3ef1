// What a run missed and the fill of it, as the page shows them. The engine knows both, so a reload loses nothing: a fill
// under way is found among the activities, the last one's end is asked for.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { Activity, FillEnd, RunMisses, WireError } from '../../ipc/types';
import { Asked } from '../../shared/asked.svelte';

const EVERY_MS = 400;

export class MissesOfRun {
  readonly asked = new Asked<RunMisses>();
  /** The fill under way. */
  filling = $state.raw<Activity | null>(null);
  /** A fill was asked for here and has not shown yet. */
  starting = $state(false);
  /** How the last fill ended. */
  end = $state.raw<FillEnd | null>(null);
  /** Why there was none. */
  error = $state.raw<WireError | null>(null);
  readonly busy = $derived(this.starting || this.filling !== null);

  #client: Client;
  #run: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gone = false;

  constructor(client: Client, run: string) {
    this.#client = client;
    this.#run = run;
  }

  /** Reads what there is, and follows a fill under way; returns how to stop. */
  begin(): () => void {
    this.load();
    void this.#look();
    return () => {
      this.#gone = true;
      clearTimeout(this.#timer);
    };
  }

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
    const asked = this.#client.call('cache_fill', { request: { run: this.#run, without_keys: true } });
    void this.#look();
    try {
      this.end = await asked;
    } catch (error) {
      this.error = toWireError(error);
    }
    // The end stands beside what is left, not beside what was there before.
    await this.#read();
    this.starting = false;
    this.filling = null;
    clearTimeout(this.#timer);
  }

  async stop(): Promise<void> {
    if (this.filling) await this.#client.call('activity_cancel', { id: this.filling.id }).catch(() => undefined);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#gone) return;
    const was = this.filling !== null;
    const all = await this.#client.call('activities_list', {}).catch(() => null);
    if (all) {
      const ours = (one: Activity) => one.kind === 'cache_fill' && one.about[0] === this.#run && !one.finished;
      this.filling = all.find(ours) ?? null;
    }
    // One that was begun elsewhere, such as before a reload, has nobody here who waits for its end.
    if (was && this.filling === null && !this.starting) this.load();
    if (this.busy && !this.#gone) this.#timer = setTimeout(() => void this.#look(), EVERY_MS);
  }
}
