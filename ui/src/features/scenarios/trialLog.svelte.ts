// The log of a trial that goes on, asked for from where the last piece ended.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { ScenarioTrial, WireError } from '../../ipc/gen';
import { oneAtATime } from '../../shared/oneAtATime';

/** Characters kept on the page; the engine keeps no more either. */
export const MAX_CHARACTERS = 512 * 1024;

export class TrialLog {
  text = $state.raw('');
  /** Whether the beginning is left out. */
  cut = $state(false);
  error = $state.raw<WireError | null>(null);
  #next = 0;
  #client: Client;
  #of: () => { id: string; trial: ScenarioTrial };

  constructor(client: Client, of: () => { id: string; trial: ScenarioTrial }) {
    this.#client = client;
    this.#of = of;
  }

  /** Asks for what has been added. */
  load = oneAtATime(async () => {
    const { id, trial } = this.#of();
    const { scenario, instance, repetition } = trial;
    try {
      const args = { id, scenario, instance, repetition, after: this.#next };
      const piece = await this.#client.call('scenario_log', args);
      this.#next = piece.next;
      this.cut ||= piece.cut;
      if (piece.text !== '') this.#add(piece.text);
      this.error = null;
    } catch (failed) {
      this.error = toWireError(failed);
    }
  });

  #add(piece: string): void {
    const all = this.text + piece;
    const surplus = all.length - MAX_CHARACTERS;
    if (surplus > 0) this.cut = true;
    this.text = surplus > 0 ? all.slice(all.indexOf('\n', surplus) + 1) : all;
  }
}
