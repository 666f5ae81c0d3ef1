// What the engine has under way, as it tells it: one subscription a page, whoever asks.
import type { Client } from '../ipc/client';
import type { Job } from '../ipc/gen';

export class Jobs {
  /** The oldest first. */
  underWay = $state.raw<Job[]>([]);

  #client: Client;
  #asked = false;
  #hearers = new Set<(job: Job, known: boolean) => void>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Subscribes, once. What is lost with the connection, the platform takes up again. */
  begin(): void {
    if (this.#asked) return;
    this.#asked = true;
    // A host that cannot tell is asked again by whoever looks next.
    this.#client.watchJobs((jobs) => this.#take(jobs)).catch(() => (this.#asked = false));
  }

  /**
   * Calls back with each job that is under way when it is first told, changes or ends; `known` where it was seen under way
   * before. Returns how to stop.
   */
  onChange(heard: (job: Job, known: boolean) => void): () => void {
    this.#hearers.add(heard);
    this.begin();
    return () => void this.#hearers.delete(heard);
  }

  /** Calls back for each job that was seen under way and is over. Returns how to stop. */
  onOver(over: (ended: Job) => void): () => void {
    return this.onChange((job, known) => {
      if (known && job.finished) over(job);
    });
  }

  async cancel(id: string): Promise<void> {
    // One that is over meanwhile needs no stopping.
    await this.#client.call('job_cancel', { id }).catch(() => undefined);
  }

  #take(jobs: Job[]): void {
    const before = new Set(this.underWay.map(({ id }) => id));
    const now = new Map(this.underWay.map((job) => [job.id, job]));
    for (const job of jobs) {
      if (job.finished) now.delete(job.id);
      else now.set(job.id, job);
    }
    this.underWay = [...now.values()];
    for (const job of jobs) for (const heard of this.#hearers) heard(job, before.has(job.id));
  }
}

/** Milliseconds that are probably left; `null` while there is nothing to tell it from. */
export function left({ done, total, took_ms }: Job): number | null {
  if (total === null || done === 0 || took_ms < 1000) return null;
  return (took_ms / done) * Math.max(0, total - done);
}
