// Checks of connections that the user has asked for. Nothing is checked by itself.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { WireError } from '../../ipc/gen';

/** Checks at once. */
const AT_ONCE = 3;

export class HealthChecks {
  /** Names of the connections whose servers are asked now. */
  checking = $state.raw<readonly string[]>([]);
  /** Why a check was not made, by the connection's name. What is wrong with a connection is no error. */
  errors = $state.raw<Readonly<Record<string, WireError>>>({});
  /** How far the check of several connections is. */
  batch = $state.raw<{ done: number; total: number; stopping: boolean } | null>(null);
  #client: Client;
  #read: () => Promise<void>;
  #waiting: string[] = [];

  /** `read` reads what is kept of the connections again. */
  constructor(client: Client, read: () => Promise<void>) {
    this.#client = client;
    this.#read = read;
  }

  async check(name: string): Promise<void> {
    if (this.checking.includes(name)) return;
    this.checking = [...this.checking, name];
    const { [name]: before, ...others } = this.errors;
    if (before) this.errors = others;
    try {
      await this.#client.call('connection_check', { name });
    } catch (problem) {
      this.errors = { ...this.errors, [name]: toWireError(problem) };
    }
    await this.#read();
    this.checking = this.checking.filter((one) => one !== name);
  }

  /** Another connection under this name is not checked yet. */
  forget(name: string): void {
    const { [name]: before, ...others } = this.errors;
    if (before) this.errors = others;
  }

  /** Checks them all, a few at once. */
  async checkAll(names: readonly string[]): Promise<void> {
    if (this.batch) return;
    this.#waiting = [...names];
    this.batch = { done: 0, total: names.length, stopping: false };
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work()));
    this.batch = null;
  }

  async #work(): Promise<void> {
    for (let name = this.#waiting.shift(); name !== undefined; name = this.#waiting.shift()) {
      await this.check(name);
      if (this.batch) this.batch = { ...this.batch, done: this.batch.done + 1 };
    }
  }

  /** Begins no further check. Those whose servers are asked already end by themselves. */
  cancel(): void {
    this.#waiting = [];
    if (this.batch) this.batch = { ...this.batch, stopping: true };
  }
}
