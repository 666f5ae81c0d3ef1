// What the drafted runs would take: asked of the engine shortly after the form has come to rest.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { DryRun, RunRequest, WireError } from '../../ipc/gen';

const REST_MS = 250;

/** What one of the drafted runs would take, or why that cannot be said. */
export type Expected = { request: RunRequest; run: DryRun | null; error: WireError | null };

export class Estimates {
  all = $state.raw<Expected[]>([]);
  loading = $state(false);

  #client: Client;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Asks for these instead of what was asked before. */
  want(requests: RunRequest[]): void {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    if (requests.length === 0) {
      this.all = [];
      this.loading = false;
      return;
    }
    this.loading = true;
    this.#timer = setTimeout(() => void this.#ask(requests, turn), REST_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  async #ask(requests: RunRequest[], turn: number): Promise<void> {
    const ask = async (request: RunRequest): Promise<Expected> => {
      try {
        return { request, run: await this.#client.call('run_estimate', { request }), error: null };
      } catch (error) {
        return { request, run: null, error: toWireError(error) };
      }
    };
    const all = await Promise.all(requests.map(ask));
    if (turn !== this.#turn) return;
    this.all = all;
    this.loading = false;
  }
}

/** Sums over models: `null` as soon as one part is not known. */
export function sumOf(
  all: readonly Expected[],
  part: (estimate: NonNullable<DryRun['estimate']>) => number | null,
): number | null {
  let sum = 0;
  for (const { run } of all) {
    if (!run) return null;
    // A baseline asks nobody: its part is truly none.
    const value = run.estimate ? part(run.estimate) : 0;
    if (value === null) return null;
    sum += value;
  }
  return all.length > 0 ? sum : null;
}
