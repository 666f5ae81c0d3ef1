// A run of the workspace as the page shows it: how it went, made up again from its events, and its report.
import type { Client } from '../../ipc/client';
import { toWireError } from '../../ipc/errors';
import type { Protocol, ReportView, WireError } from '../../ipc/types';
import { reduceAll } from './reduce';
import { IDLE, type RunState } from './state';

export class OpenedRun {
  /** How it went; `null` while it is read, and for logs that were not made here. */
  state = $state.raw<RunState | null>(null);
  report = $state.raw<ReportView | null>(null);
  loading = $state(false);
  scoring = $state(false);
  /** Why something of it cannot be shown or done. */
  error = $state.raw<WireError | null>(null);

  #client: Client;
  #id = '';

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads a run. `recorded`: whether it was made here and so can be drawn. */
  async open(id: string, recorded: boolean): Promise<void> {
    if (id !== this.#id) [this.state, this.report] = [null, null];
    this.#id = id;
    this.error = null;
    this.loading = true;
    const [replay, report] = await Promise.allSettled([
      recorded ? this.#client.call('run_replay', { run: id }) : null,
      this.#client.report(id),
    ]);
    if (id !== this.#id) return;
    this.loading = false;
    if (replay.status === 'rejected') this.error = toWireError(replay.reason);
    else if (replay.value) this.state = reduceAll(IDLE, replay.value.events);
    if (report.status === 'rejected') this.error = toWireError(report.reason);
    else this.report = report.value;
  }

  /** Scores it without a judge. */
  async score(scorer: Protocol): Promise<void> {
    const id = this.#id;
    this.scoring = true;
    this.error = null;
    try {
      const report = await this.#client.evaluate({ run: id, scorer, judges: [], judge_base_url: null });
      if (id === this.#id) this.report = report;
    } catch (error) {
      if (id === this.#id) this.error = toWireError(error);
    } finally {
      this.scoring = false;
    }
  }
}
