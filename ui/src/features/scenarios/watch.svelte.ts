// The runs of scenarios as the engine tells them, asked for again and again while the screen is shown and one runs.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { ScenarioLive, WireError } from '../../ipc/types';

const EVERY_MS = 500;

export const isOver = (run: ScenarioLive): boolean => run.summary !== null || run.error !== null;

export class Watch {
  /** The newest first; null until the engine has answered. */
  runs = $state.raw<ScenarioLive[] | null>(null);
  error = $state.raw<WireError | null>(null);

  readonly #client: Client;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #on = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Asks from now on; returns how to stop. */
  begin(): () => void {
    this.#on = true;
    void this.ask();
    return () => {
      this.#on = false;
      clearTimeout(this.#timer);
    };
  }

  /** Asks now, and goes on as long as something runs. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.runs = await this.#client.call('scenario_live', {});
      this.error = null;
    } catch (error) {
      this.error = toWireError(error);
    }
    clearTimeout(this.#timer);
    const going = this.error !== null || this.runs?.some((run) => !isOver(run));
    if (this.#on && going) this.#timer = setTimeout(() => void this.ask(), EVERY_MS);
  }
}
