// The workspaces that the window has opened on this computer, as menu, palette and settings offer them.
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type { RecentWorkspace, WireError } from '../ipc/gen';

class Workspaces {
  list = $state.raw<RecentWorkspace[]>([]);
  error = $state.raw<WireError | null>(null);

  /** Those that can be opened and are not this one, the last one first. */
  readonly others = $derived(this.list.filter(({ state }) => state === 'there'));

  load = (client: Client): Promise<void> => this.#take(client.call('workspaces_list', {}));

  /** Takes one off the list; nothing in it is touched. */
  forget = (client: Client, folder: string): Promise<void> => this.#take(client.call('workspace_forget', { folder }));

  async #take(answer: Promise<RecentWorkspace[]>): Promise<void> {
    this.error = null;
    try {
      this.list = await answer;
    } catch (error) {
      this.error = toWireError(error);
    }
  }
}

export const workspaces = new Workspaces();

/** A folder's own name. */
export const nameOf = (folder: string): string => folder.split(/[/\\]/).filter(Boolean).at(-1) ?? folder;
