// A run on its page: the queue, the list of runs and what is read of the run decide together what is shown.
import { failedResume } from '../features/runs/list/history';
import { OpenedRun } from '../features/runs/services/opened.svelte';
import type { Client } from '../ipc/client';
import type { Job } from '../ipc/gen';
import type { Jobs } from '../shared/jobs.svelte';
import { at, route } from '../shared/route.svelte';
import type { Session } from './session.svelte';

export type SessionOfRun = Pick<Session, 'queue' | 'runs' | 'resumed' | 'readRuns'>;

/** Make it while a component is made; of another run, another one. */
export class RunOnPage {
  readonly opened: OpenedRun;
  /** The list has been read again, in case that it was older than the run. */
  looked = $state(false);
  /** At a cluster, or what its workers made is not merged. */
  atCluster = $state(false);

  #session: SessionOfRun;
  #jobs: Jobs;
  #id: () => string;

  /** The run in the queue, while it goes or is scored. */
  readonly current = $derived.by(() => {
    const { current } = this.#session.queue.now;
    return current && this.#is(current) ? current : null;
  });
  readonly ended = $derived.by(() =>
    this.current ? undefined : this.#session.queue.now.ended.findLast((run) => this.#is(run)),
  );
  readonly here = $derived.by(() => this.current ?? this.ended ?? null);
  readonly listed = $derived.by(() => this.#session.runs.find((run) => run.id === (this.here?.id ?? this.#id())));
  /** The id under which its files are. */
  readonly kept = $derived.by(() => this.here?.id ?? this.listed?.id ?? null);
  /** Nobody knows of such a run; `undefined` while that is looked up. */
  readonly unknown = $derived.by(() => (this.here || this.listed ? false : this.looked || undefined));
  /** One of its files cannot be read. */
  readonly damage = $derived.by(() =>
    this.listed?.unreadable ? ({ code: 'bad_file', message: this.listed.unreadable } as const) : null,
  );
  /** A try to resume it that did not begin. */
  readonly unresumed = $derived.by(() => {
    const { queue, resumed } = this.#session;
    return this.listed && !this.current ? failedResume(queue.now.ended, resumed, this.listed.id) : null;
  });
  // The events of a run that just ended are still here; later they are read again.
  readonly shown = $derived.by(() => {
    const { live } = this.#session.queue;
    return this.here && this.here.run === live.run ? live.state : this.opened.state;
  });
  readonly going = $derived.by(() => this.current !== null && !this.current.scoring);
  /** What waits for the user's hand. A run that is over carries nothing, and its events say so before the queue does. */
  readonly byHand = $derived.by(() => (this.shown?.phase === 'over' ? null : (this.current?.by_hand ?? null)));
  /** The process that makes it, where that is another one. */
  readonly maker = $derived.by(() => {
    const { listed } = this;
    return listed && listed.held_by !== null && !listed.status?.here ? listed.held_by : null;
  });
  // Scored by a page before this one, or by another: it goes on, and the engine knows of it.
  readonly scoring = $derived.by(
    () =>
      this.opened.scoring ||
      (this.current?.scoring ?? false) ||
      this.#jobs.underWay.some((job) => this.#isItsScoring(job)),
  );
  /** Nothing can be said of its score before it is read. */
  readonly reading = $derived.by(() => this.opened.loading && !this.shown && !this.opened.report);
  /** Nothing here says how it went: workers of a cluster make it, or what they made is not merged. */
  readonly unmerged = $derived.by(
    () =>
      this.listed?.remote !== undefined &&
      !this.listed.complete &&
      !this.reading &&
      !this.opened.report &&
      (this.atCluster || (this.shown?.finished ?? 0) === 0),
  );
  readonly canScore = $derived.by(
    () => (this.shown?.finished ?? 0) > 0 || (this.listed !== undefined && this.listed.status === undefined),
  );

  constructor(session: SessionOfRun, client: Client, jobs: Jobs, id: () => string) {
    this.#session = session;
    this.#jobs = jobs;
    this.#id = id;
    this.opened = new OpenedRun(client);

    // The list may be older than the run: an adaptive run or a sweep makes its runs beside it, and so do other processes.
    $effect(() => {
      if (this.unknown === undefined) void session.readRuns().then(() => (this.looked = true));
    });
    // The address names the run by what stays after a restart.
    $effect(() => {
      const kept = this.here?.id;
      if (kept && kept !== id()) route.go(at('runs', kept, route.place.query), { replace: true });
    });
    // Read once it is known, and again when it has ended and been scored.
    $effect(() => {
      if (this.kept && !this.current) void this.opened.open(this.kept, this.listed?.status !== undefined);
    });
    $effect(() => {
      // The list says that it has ended, and then it is read as one that has.
      if (this.kept && this.maker !== null) return this.opened.follow(this.kept, () => void session.readRuns());
      return undefined;
    });
    $effect(() =>
      jobs.onOver((job) => {
        if (this.#isItsScoring(job) && !this.opened.scoring && !this.current) void this.opened.scored(job.error);
      }),
    );
  }

  stopScoring = (): void => {
    const { current } = this;
    void (current?.scoring ? this.#session.queue.cancel(current.run) : this.opened.stopScoring());
  };

  #is({ run, id }: { run: string; id: string | null }): boolean {
    return run === this.#id() || id === this.#id();
  }

  #isItsScoring({ kind, about }: Job): boolean {
    return kind === 'evaluation' && about[0] === this.kept;
  }
}
