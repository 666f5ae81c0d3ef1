// Takes in a pack that the user chooses, wherever that is offered.
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type { PackImport } from '../ipc/gen';
import type { Platform } from '../platform/types';
import { Asked } from './asked.svelte';
import { workspace } from './workspace.svelte';

const ARCHIVES = ['zip', 'tar', 'gz', 'tgz', 'zst'];

export class PackIntake {
  /** What the last import brought. How far one is, and a way to stop it, are at the foot of the window. */
  readonly asked = new Asked<PackImport>();

  #client: Client;
  #platform: Platform;

  constructor(client: Client, platform: Platform) {
    this.#client = client;
    this.#platform = platform;
  }

  /** Lets the user choose an archive or a folder and imports it; answers what came in. `use`: for runs from then on. */
  async take(title: string, { folders, use = false }: { folders: boolean; use?: boolean }): Promise<PackImport | null> {
    let path: string | undefined;
    try {
      [path] = await this.#platform.pick({ title, folders, ...(folders ? {} : { extensions: ARCHIVES }) });
    } catch (error) {
      this.asked.error = toWireError(error);
    }
    if (path === undefined) return null;
    await this.asked.load(() => this.#import(path, use), { fresh: true });
    return this.asked.value;
  }

  async #import(path: string, use: boolean): Promise<PackImport> {
    const imported = await this.#client.call('pack_import', { path });
    if (use) await this.#client.usePack(imported.pack.name);
    workspace.changes += 1;
    return imported;
  }
}
