// The scripted host's jobs: a test says what is under way, and pages hear of it as they do from the engine.
import type { Job } from '../ipc/gen';
import type { OnEvents } from './types';

export class FakeJobs {
  #all = new Map<string, Job>();
  #hearers: OnEvents<Job>[] = [];

  /** These have begun, changed or ended. */
  tell(...jobs: Job[]): void {
    for (const job of jobs) this.#all.set(job.id, job);
    for (const hear of this.#hearers) hear(jobs);
  }

  subscribe(hear: OnEvents<Job>): Job[] {
    this.#hearers.push(hear);
    return [...this.#all.values()];
  }
}
