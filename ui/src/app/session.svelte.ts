// What the window knows. The only place where the features meet; components below get what they draw as props.
import { LiveRun } from '../features/runs/live.svelte';
import type { RunState } from '../features/runs/state';
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type {
  AppInfo,
  ModelSummary,
  PackSummary,
  Protocol,
  ReportView,
  RunRequest,
  RunSummary,
  WireError,
} from '../ipc/types';
import { locale } from '../shared/locale.svelte';
import { recall, remember } from './shown';

/** What the result pane shows. */
export type Shown = { kind: 'nothing' } | { kind: 'live' } | { kind: 'past'; run: RunSummary };

export class Session {
  info = $state.raw<AppInfo | null>(null);
  packs = $state.raw<PackSummary[]>([]);
  models = $state.raw<ModelSummary[]>([]);
  runs = $state.raw<RunSummary[]>([]);
  shown = $state.raw<Shown>({ kind: 'nothing' });
  report = $state.raw<ReportView | null>(null);
  scoring = $state(false);
  /** Why the workspace could not be opened: nothing else can be shown then. */
  closed = $state.raw<WireError | null>(null);
  /** The last thing that did not work. */
  error = $state.raw<WireError | null>(null);

  readonly live: LiveRun;
  #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.live = new LiveRun(client, (state) => void this.#liveOver(state));
  }

  /** Opens the workspace and takes up where the page was before a reload. */
  async begin(): Promise<void> {
    this.closed = null;
    try {
      this.info = await this.#client.appInfo();
      locale.begin(this.info.language);
      await this.reload();
    } catch (error) {
      this.closed = toWireError(error);
      this.info = null;
      return;
    }
    await this.#trying(() => this.#takeUp(this.info?.current_run ?? null));
  }

  /** Reads the lists again. */
  async reload(): Promise<void> {
    [this.packs, this.models, this.runs] = await Promise.all([
      this.#client.packs(),
      this.#client.models(),
      this.#client.runs(),
    ]);
  }

  refresh = (): Promise<void> => this.#trying(() => this.reload());

  usePack = (name: string): Promise<void> =>
    this.#trying(async () => {
      await this.#client.usePack(name);
      this.packs = await this.#client.packs();
    });

  start = (request: RunRequest): Promise<void> =>
    this.#trying(async () => {
      this.report = null;
      this.shown = { kind: 'live' };
      remember({ live: request.run });
      try {
        await this.live.start(request);
      } catch (error) {
        this.shown = { kind: 'nothing' };
        remember(null);
        throw error;
      }
    });

  cancel = (): Promise<void> => this.#trying(() => this.live.cancel());

  showLive = (): void => {
    if (this.live.run === null) return;
    this.report = null;
    this.shown = { kind: 'live' };
    remember({ live: this.live.run });
  };

  open = (run: RunSummary): Promise<void> =>
    this.#trying(async () => {
      this.report = null;
      this.shown = { kind: 'past', run };
      remember({ past: run.id });
      await this.#showReport(run.id);
    });

  /** Scores what is shown, without a judge and by the rules of its own protocol. */
  score = (): Promise<void> =>
    this.#trying(async () => {
      const { shown } = this;
      if (shown.kind === 'past') await this.#evaluate(shown.run.id, shown.run.protocol ?? 'leaderboard');
      else if (shown.kind === 'live') await this.#evaluate(this.#liveId(), this.live.state.protocol);
    });

  async #liveOver(state: RunState): Promise<void> {
    await this.#trying(async () => {
      this.runs = await this.#client.runs();
      if (this.shown.kind !== 'live') return;
      const id = this.#liveId();
      // After a reload the run may have its report already, perhaps one with judges: that one is kept.
      this.report = await this.#client.report(id);
      const worthIt = state.outcome !== 'failed' && state.finished > 0;
      if (!this.report && worthIt) await this.#evaluate(id, state.protocol);
    });
  }

  async #takeUp(current: string | null): Promise<void> {
    const before = recall();
    if (current !== null) {
      this.shown = { kind: 'live' };
      await this.live.resume(current);
    } else if (before && 'live' in before) {
      // The run ended while the page was away, or the program was restarted and no longer knows it.
      this.shown = { kind: 'live' };
      await this.live.resume(before.live).catch(() => {
        this.shown = { kind: 'nothing' };
        remember(null);
      });
    } else if (before) {
      const run = this.runs.find(({ id }) => id === before.past);
      if (run) await this.open(run);
    }
  }

  /** The finished run's id in the list of runs; the id it was started under serves until it is listed. */
  #liveId(): string {
    const { folder, run } = this.live.state;
    return this.runs.find((listed) => listed.folder === folder)?.id ?? run ?? '';
  }

  async #showReport(run: string): Promise<void> {
    const report = await this.#client.report(run);
    if (this.shown.kind === 'past' && this.shown.run.id === run) this.report = report;
  }

  async #evaluate(run: string, scorer: Protocol): Promise<void> {
    const { shown } = this;
    this.scoring = true;
    try {
      const report = await this.#client.evaluate({ run, scorer, judges: [], judge_base_url: null });
      // The user may have moved on while it was being scored.
      if (this.shown === shown) this.report = report;
    } finally {
      this.scoring = false;
    }
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    this.error = null;
    try {
      await work();
    } catch (error) {
      this.error = toWireError(error);
    }
  }
}
