// The models on this computer and what is being fetched, as the engine knows them. While bytes come it is asked again and again; in
// idle times never.
import type { Client } from '../../ipc/client';
import type { LocalModels, PullState } from '../../ipc/types';
import { Asked } from '../../shared/asked.svelte';

const EVERY_MS = 700;

export class Library {
  readonly asked = new Asked<LocalModels>();
  pulls = $state.raw<PullState[]>([]);

  #client: Client;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads the whole list anew. */
  async load(): Promise<void> {
    await this.asked.load(() => this.#client.call('local_list', {}));
    this.#show(this.asked.value?.pulls ?? []);
  }

  /** Looks at the downloads alone; one that is gone has become a model. */
  async look(): Promise<void> {
    const before = this.pulls;
    const now = await this.#client.call('pulls_list', {}).catch(() => before);
    if (before.some(({ id }) => !now.some((pull) => pull.id === id))) await this.load();
    else this.#show(now);
  }

  /** Ends the asking; a screen that is left must not go on. */
  close(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #show(pulls: PullState[]): void {
    this.pulls = pulls;
    clearTimeout(this.#timer);
    if (!this.#over && pulls.some(({ standing }) => standing === 'running')) {
      this.#timer = setTimeout(() => void this.look(), EVERY_MS);
    }
  }
}
