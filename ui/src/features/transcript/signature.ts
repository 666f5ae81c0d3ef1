// Who overrides verdicts here: the name that was used last, by the overrides that the engine keeps.
import type { Client } from '../../ipc/client';

class Signature {
  #name = '';
  #client: Client | null = null;
  #looked: Promise<void> = Promise.resolve();

  /** The name, looked up once a host; without an answer it is empty and has to be typed. */
  async last(client: Client): Promise<string> {
    if (this.#client !== client) {
      this.#client = client;
      this.#name = '';
      this.#looked = this.#look(client);
    }
    await this.#looked;
    return this.#name;
  }

  sign(name: string): void {
    this.#name = name.trim();
  }

  async #look(client: Client): Promise<void> {
    try {
      const rows = await client.call('verdict_overrides', { run: null });
      const last = rows.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1);
      this.#name ||= last?.by ?? '';
    } catch {
      // The next dialog looks again.
      this.#client = null;
    }
  }
}

export const signature = new Signature();
