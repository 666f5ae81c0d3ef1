// Whether the sidebar shows scenarios. Few have use for them, so they come with a container engine, with results, or with the
// user's wish, which this page keeps.
import type { Client } from '../ipc/client';

const KEY = 'koab.scenarios';

class ScenarioRoom {
  wanted = $state(localStorage.getItem(KEY) !== null);
  #useful = $state(false);

  get shown(): boolean {
    return this.wanted || this.#useful;
  }

  want(on: boolean): void {
    this.wanted = on;
    if (on) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  }

  /** Looks for results first, since they are the cheaper question. What cannot be told shows nothing. */
  async look(client: Client): Promise<void> {
    try {
      const { scenarios } = await client.call('scenario_results', { folder: null });
      this.#useful =
        scenarios.length > 0 || (await client.call('doctor', {})).some(({ what, ok }) => what === 'containers' && ok);
    } catch {
      this.#useful = false;
    }
  }
}

export const scenarioRoom = new ScenarioRoom();
