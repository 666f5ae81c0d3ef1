// The models on this computer and what is being fetched, as the engine knows them; asked for when it tells of a download.
import type { Client } from '../../ipc/client';
import type { LocalModels, PullState } from '../../ipc/gen';
import { Asked } from '../../shared/asked.svelte';
import type { Jobs } from '../../shared/jobs.svelte';
import { oneAtATime } from '../../shared/oneAtATime';

export class Library {
  readonly asked = new Asked<LocalModels>();
  pulls = $state.raw<PullState[]>([]);

  #client: Client;
  #jobs: Jobs;

  constructor(client: Client, jobs: Jobs) {
    this.#client = client;
    this.#jobs = jobs;
  }

  /** Reads the list, and follows the downloads; returns how to stop. */
  begin(): () => void {
    void this.load();
    return this.#jobs.onChange(({ kind }) => void (kind === 'model_pull' && this.look()));
  }

  /** Reads the whole list anew. */
  async load(): Promise<void> {
    await this.asked.load(() => this.#client.call('local_list', {}));
    this.pulls = this.asked.value?.pulls ?? [];
  }

  /** Looks at the downloads alone; one that is gone has become a model. */
  look = oneAtATime(async () => {
    const before = this.pulls;
    const now = await this.#client.call('pulls_list', {}).catch(() => before);
    if (before.some(({ id }) => !now.some((pull) => pull.id === id))) await this.load();
    else this.pulls = now;
  });
}
