// Whether this computer has a container engine, as the engine's own examination says.
import type { Client } from '../../ipc/client';
import type { Check } from '../../ipc/gen';
import { Asked } from '../../shared/asked.svelte';

export class Containers {
  readonly #asked = new Asked<Check[]>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  readonly #check = $derived(this.#asked.value?.find(({ what }) => what === 'containers') ?? null);
  /** What is wrong; nothing while it is not known or all is well. */
  readonly missing = $derived(this.#check && !this.#check.ok ? this.#check : null);
  /** Whether an engine was found. */
  readonly found = $derived(this.#check?.ok ?? false);
  readonly looking = $derived(this.#asked.loading);

  look = (): Promise<void> => this.#asked.load(() => this.#client.call('doctor', {}));
}
