// Updates of the window, in builds that have any: asked for once, looked for once a day, installed on a press.
import { toWireError } from '../ipc/errors';
import type { WireError } from '../ipc/gen';
import type { HostUpdates, UpdatesView } from '../platform/types';

class Updates {
  /** `null` in a build without updates, and in a browser. */
  view = $state.raw<UpdatesView | null>(null);
  error = $state.raw<WireError | null>(null);
  busy = $state(false);
  /** Whether the server has answered since the window was opened. */
  looked = $state(false);
  #host: HostUpdates | undefined;

  /** Learns whether there are any, and has the day's look done; one that finds no way out is told of in the settings. */
  async begin(host: HostUpdates | undefined): Promise<void> {
    this.#host = host;
    this.view = null;
    await this.#take((updates) => updates.view());
    await this.#lookIfWanted();
  }

  want = async (wanted: boolean): Promise<void> => {
    await this.#take((updates) => updates.want(wanted));
    await this.#lookIfWanted();
  };

  look = async (now: boolean): Promise<void> => {
    await this.#take((updates) => updates.look(now));
    this.looked = this.error === null;
  };

  install = (): Promise<void> => this.#take((updates) => updates.install());

  async #lookIfWanted(): Promise<void> {
    if (this.view?.wanted && !this.error) await this.look(false);
  }

  async #take(ask: (updates: HostUpdates) => Promise<UpdatesView | null>): Promise<void> {
    if (!this.#host) return;
    this.busy = true;
    this.error = null;
    try {
      this.view = await ask(this.#host);
    } catch (error) {
      this.error = toWireError(error);
    } finally {
      this.busy = false;
    }
  }
}

export const updates = new Updates();
