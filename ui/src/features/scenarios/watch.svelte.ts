// The runs of scenarios as the engine tells them, asked for whenever it tells that there is more.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { ScenarioLive, WireError } from '../../ipc/gen';
import type { Jobs } from '../../shared/jobs.svelte';
import { oneAtATime } from '../../shared/oneAtATime';

export const isOver = (run: ScenarioLive): boolean => run.summary !== null || run.error !== null;

export class Watch {
  /** The newest first; null until the engine has answered. */
  runs = $state.raw<ScenarioLive[] | null>(null);
  error = $state.raw<WireError | null>(null);

  readonly #client: Client;
  readonly #jobs: Jobs;

  constructor(client: Client, jobs: Jobs) {
    this.#client = client;
    this.#jobs = jobs;
  }

  /** Asks from now on; returns how to stop. */
  begin(): () => void {
    void this.ask();
    return this.#jobs.onChange(({ kind }) => void (kind === 'scenario_run' && this.ask()));
  }

  ask = oneAtATime(async () => {
    try {
      this.runs = await this.#client.call('scenario_live', {});
      this.error = null;
    } catch (error) {
      this.error = toWireError(error);
    }
  });
}
