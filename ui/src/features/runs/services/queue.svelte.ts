// All runs of this process as the engine keeps them: the one that goes, those that wait, those that ended. They are asked for when
// the job of a run has news; the events of the run itself come by themselves.
import type { Client } from '../../../ipc/client';
import { toWireError } from '../../../ipc/errors';
import type { EndedRun, Job, RunRequest, RunsNow, WireError } from '../../../ipc/gen';
import type { Jobs } from '../../../shared/jobs.svelte';
import { oneAtATime } from '../../../shared/oneAtATime';
import { LiveRun } from './live.svelte';

const NOTHING: RunsNow = { current: null, queue: [], ended: [] };

export class Queue {
  now = $state.raw<RunsNow>(NOTHING);
  /** The last thing asked here that did not work. */
  error = $state.raw<WireError | null>(null);
  readonly live: LiveRun;
  /** Whether a run goes, waits or is being scored. */
  readonly busy = $derived(this.now.current !== null || this.now.queue.length > 0);

  #client: Client;
  #jobs: Jobs;
  #onEnded: (ended: EndedRun) => void;
  #unhear: (() => void) | null = null;
  /** The last news that was heard. */
  #heard = '';
  /** How often was asked, and which of these answers is shown. */
  #asked = 0;
  #shown = 0;
  #known: Set<string> | null = null;

  /** `onEnded` is called once for each run that ends while the page is there, after it has been scored. */
  constructor(client: Client, jobs: Jobs, onEnded: (ended: EndedRun) => void) {
    this.#client = client;
    this.#jobs = jobs;
    this.#onEnded = onEnded;
    this.live = new LiveRun(client);
  }

  /** Asks where things stand, takes up the run that goes, and asks again whenever a run has news. Over with the first answer. */
  begin(): Promise<void> {
    this.#unhear ??= this.#jobs.onChange((job) => this.#hear(job));
    return this.#look();
  }

  /** The page goes. */
  end(): void {
    this.#unhear?.();
  }

  /** Puts runs at the end of the queue; says whether that worked. */
  start = (requests: RunRequest[]): Promise<boolean> => this.#try(this.#client.call('run_queue', { requests }));

  remove = (run: string): Promise<boolean> => this.#try(this.#client.call('run_unqueue', { run }));

  move = (run: string, to: number): Promise<boolean> => this.#try(this.#client.call('run_move', { run, to }));

  pause = (run: string): Promise<boolean> => this.#try(this.#client.call('run_pause', { run }));

  unpause = (run: string): Promise<boolean> => this.#try(this.#client.call('run_unpause', { run }));

  cancel = (run: string): Promise<boolean> => {
    if (this.live.run === run) this.live.cancelling = true;
    return this.#try(this.#client.cancelRun(run));
  };

  /** Empties the queue and stops what goes. */
  stop = (): Promise<boolean> => this.#try(this.#client.call('runs_stop', {}));

  /** How far a run is, its own events tell; of everything else its job has news. */
  #hear({ kind, id, news, finished }: Job): void {
    const heard = `${id} ${news} ${finished}`;
    if (kind !== 'run' || heard === this.#heard) return;
    this.#heard = heard;
    void this.#look();
  }

  #look = oneAtATime(async () => {
    // What was asked in vain is asked again at the next change.
    if (!(await this.#try(this.#client.call('runs_now', {}), this.error))) this.#heard = '';
  });

  /** Awaits an answer; `error` is what is shown while it is to come. */
  async #try(answer: Promise<RunsNow | null | void>, error: WireError | null = null): Promise<boolean> {
    const turn = ++this.#asked;
    this.error = error;
    try {
      const now = await answer;
      // What was asked for later is newer, and whatever changes is told.
      if (now && turn > this.#shown) {
        this.#shown = turn;
        await this.#take(now);
      }
      return true;
    } catch (error) {
      this.error = toWireError(error);
      return false;
    }
  }

  async #take(now: RunsNow): Promise<void> {
    this.now = now;
    // What had ended before the page was there is no news.
    const known = this.#known ?? new Set(now.ended.map(({ run }) => run));
    const ended = now.ended.filter(({ run }) => !known.has(run));
    this.#known = new Set(now.ended.map(({ run }) => run));
    for (const one of ended) this.#onEnded(one);
    const { current } = now;
    if (current && current.run !== this.live.run) await this.#watch(current.run);
  }

  /** Takes up a run's events. One that cannot begin may be gone by now; its job tells the outcome of it. */
  async #watch(run: string): Promise<void> {
    try {
      await this.live.resume(run);
    } catch (error) {
      if (toWireError(error).code !== 'not_found') throw error;
    }
  }
}
