// A run of the workspace as the page shows it: how it went, made up again from its events, and its report.
import type { Client } from '../../../ipc/client';
import { toWireError } from '../../../ipc/errors';
import type { EvaluateRequest, ReportView, WireError } from '../../../ipc/gen';
import { marksOf, NO_MARKS, type TaskMarks } from '../state/marks';
import { reduceAll } from '../state/reduce';
import { IDLE, type RunState } from '../state/state';

/** How often a run of another process is looked at. */
const FOLLOW_MS = 1_000;

export class OpenedRun {
  /** How it went; `null` while it is read, and for logs that were not made here. */
  state = $state.raw<RunState | null>(null);
  report = $state.raw<ReportView | null>(null);
  /** What the report says of each task; nothing while it is not the run's any more. */
  marks = $state.raw<TaskMarks>(NO_MARKS);
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
    if (id !== this.#id) [this.state, this.report, this.marks] = [null, null, NO_MARKS];
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
    else await this.#show(report.value);
  }

  /**
   * Follows a run that another process makes: what it has written is read again until it ends, which `over` is told of.
   * A look that fails is said once and made again; what is shown is then older than it seems. Returns how to stop.
   */
  follow(id: string, over: () => void): () => void {
    let gone = false;
    let timer: ReturnType<typeof setTimeout>;
    let failed: WireError | null = null;
    const look = async () => {
      const replay = await this.#client.call('run_replay', { run: id }).catch((error: unknown) => {
        // Of looks that fail one after the other the first one is said; what the user closed stays closed.
        if (!gone && id === this.#id && !failed) this.error = failed = toWireError(error);
        return null;
      });
      if (gone || id !== this.#id) return;
      if (replay && failed) {
        if (this.error === failed) this.error = null;
        failed = null;
      }
      if (replay?.finished) return over();
      if (replay) this.state = reduceAll(IDLE, replay.events);
      timer = setTimeout(() => void look(), FOLLOW_MS);
    };
    timer = setTimeout(() => void look(), FOLLOW_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }

  async #show(report: ReportView | null): Promise<void> {
    const id = this.#id;
    this.report = report;
    // Without it the marks say that a task was answered, which is true all the same.
    const detail =
      report && !report.outdated ? await this.#client.call('report_detail', { id: report.id }).catch(() => null) : null;
    if (id === this.#id && this.report === report) this.marks = detail ? marksOf(detail) : NO_MARKS;
  }

  /** Scores it, with the judges that the request names; answers why not. Who stopped it knows. */
  score = async (request: EvaluateRequest): Promise<WireError | null> => {
    const id = this.#id;
    this.scoring = true;
    this.error = null;
    try {
      const report = await this.#client.evaluate(request);
      if (id === this.#id) await this.#show(report);
    } catch (error) {
      if (id !== this.#id) return null;
      this.error = toWireError(error);
      return this.error.code === 'cancelled' ? null : this.error;
    } finally {
      this.scoring = false;
    }
    return null;
  };

  /** Its scoring, which this page had not begun, is over: reads what came of it, and says why it is not what was asked for. */
  async scored(why: WireError | null): Promise<void> {
    const id = this.#id;
    try {
      const report = await this.#client.report(id);
      if (id === this.#id) await this.#show(report);
    } catch (error) {
      why ??= toWireError(error);
    }
    if (id === this.#id && why && why.code !== 'cancelled') this.error = why;
  }

  /** Stops the scoring; what judges have said is kept. */
  async stopScoring(): Promise<void> {
    await this.#client.cancelRun(this.#id).catch((error: unknown) => (this.error = toWireError(error)));
  }
}
