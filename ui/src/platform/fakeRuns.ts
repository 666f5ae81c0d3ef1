// The scripted host's runs: they queue, go, pause, end, are listed and scored as in the product, without an engine.
import type {
  Deleted,
  DryRun,
  EndedRun,
  EvaluateRequest,
  ReportView,
  RunEvent,
  RunEventKind,
  RunJudges,
  RunRequest,
  RunsNow,
  RunSummary,
  TaskList,
  TaskRow,
  TrashView,
  WireError,
} from '../ipc/gen';
import { reportOf, tasksOf } from './fakeData';
import type { FakeJobs } from './fakeJobs';
import { script } from './fakeScript';
import type { OnEvents } from './types';

interface Playing {
  request: RunRequest;
  id: string;
  sent: RunEvent[];
  left: RunEvent[];
  watchers: OnEvents[];
  paused: boolean;
  news: number;
}

interface Options {
  pace: number;
  batch: number;
  /** Why no run can begin. */
  unbegun?: WireError | undefined;
  /** Runs of earlier sessions. */
  listed?: RunSummary[];
  /** Where runs are told of. */
  jobs: FakeJobs;
}

const notFound = (run: string): WireError => ({ code: 'not_found', message: `there is no run ${run}` });

/** Answers to the commands about runs, by name, and how to watch one. */
export function createRuns({ pace, batch, unbegun, listed: before = [], jobs }: Options) {
  const runs: Playing[] = [];
  const listed = [...before];
  const trash: RunSummary[] = [];
  const reports = new Map<string, ReportView>();
  const ended: EndedRun[] = [];
  let queue: RunRequest[] = [];
  let current: Playing | null = null;

  const folderOf = (id: string) => `~/koab/logs/benchmark_results/by_model/${id}`;
  const find = (run: string) => {
    const found = runs.findLast(({ request, id }) => request.run === run || id === run);
    if (!found) throw notFound(run);
    return found;
  };

  function now(): RunsNow {
    const going = current && {
      run: current.request.run,
      id: current.id,
      model: current.request.model,
      paused: current.paused,
      scoring: false,
      spans_to: null,
      by_hand: null,
    };
    return { current: going, queue: [...queue], ended: [...ended] };
  }

  function tell(playing: Playing, finished = false): void {
    playing.news += 1;
    const { request, sent, left, news } = playing;
    const ended = (events: RunEvent[]) => events.filter(({ kind }) => kind.type === 'attempt_finished').length;
    const total = ended(sent) + ended(left);
    const about = {
      id: `run ${request.run}`,
      kind: 'run' as const,
      about: [request.run],
      since_ms: Date.now(),
      took_ms: 0,
    };
    jobs.tell({
      ...about,
      done: ended(sent),
      total,
      in_bytes: false,
      news,
      cancellable: true,
      cancelling: false,
      finished,
      error: null,
    });
  }

  /** The queue is other than before. */
  function changed(): RunsNow {
    if (current) tell(current);
    return now();
  }

  function next(): void {
    if (current) return;
    const request = queue.shift();
    if (!request) return;
    if (unbegun) {
      ended.push({
        run: request.run,
        id: null,
        model: request.model,
        outcome: null,
        error: unbegun,
        reports: [],
        spans: null,
      });
      return next();
    }
    const again = listed.find(({ id }) => id === request.resume);
    const model = request.model || (again?.model ?? 'm');
    const id = again?.id ?? `${model.replace('/', '_')}/20261120_1200${String(runs.length).padStart(2, '0')}`;
    const of = { ...request, model, levels: request.levels.length ? request.levels : (['L1'] as RunRequest['levels']) };
    const left = script(of, folderOf(id), Date.now());
    current = { request: of, id, sent: [], left, watchers: [], paused: false, news: 0 };
    runs.push(current);
    list(current, null);
    tell(current);
    setTimeout(play, pace);
  }

  function play(): void {
    const playing = current;
    if (!playing || playing.paused) return;
    const events = playing.left.splice(0, batch);
    playing.sent.push(...events);
    const last = events.at(-1)?.kind;
    // As in the product: the run is listed and scored before anybody hears of its end among the runs that ended.
    if (last?.type === 'run_finished') over(playing, last);
    for (const watcher of playing.watchers) watcher(events);
    if (playing.left.length > 0) setTimeout(play, pace);
  }

  function over(playing: Playing, { outcome, done }: Extract<RunEventKind, { type: 'run_finished' }>): void {
    const { request, id } = playing;
    list(playing, outcome);
    if (request.score && done > 0) evaluate(id);
    const made = reports.get(id);
    ended.push({
      run: request.run,
      id,
      model: request.model,
      outcome,
      error: null,
      reports: made ? [made.id] : [],
      spans: null,
    });
    current = null;
    next();
    tell(playing, true);
  }

  function list({ request, id, sent }: Playing, outcome: NonNullable<RunSummary['status']>['outcome']): void {
    const at = listed.findIndex((run) => run.id === id);
    const first = sent[0]?.kind;
    const run: RunSummary = {
      id,
      held_by: outcome === null ? 1 : null,
      resume: outcome === null || outcome === 'completed' ? null : `koab run --resume ${id}`,
      usd: null,
      tags: [],
      note: '',
      model: request.model,
      date: id.split('/').at(-1) ?? '',
      pack: 'starter@1.0.0',
      protocol: request.protocol,
      levels: request.levels.map((level) => ({ level, tasks: 1 })),
      complete: outcome === 'completed',
      status: {
        outcome,
        reason: null,
        planned: first?.type === 'run_started' ? first.attempts : 0,
        done: sent.filter(({ kind }) => kind.type === 'attempt_finished').length,
        failed: 0,
        max_cost: request.max_cost ?? null,
        max_total_tokens: request.max_total_tokens ?? null,
        here: outcome === null,
      },
      folder: folderOf(id),
    };
    if (at >= 0) listed[at] = run;
    else listed.unshift(run);
  }

  function cancel(run: string): null {
    const playing = find(run);
    const end = playing.left.at(-1);
    if (end?.kind.type !== 'run_finished') return null;
    const done = playing.sent.filter(({ kind }) => kind.type === 'attempt_finished').length;
    playing.left = [{ ...end, kind: { ...end.kind, outcome: 'cancelled', done, failed: 0 } }];
    if (playing.paused) pause(run, false);
    return null;
  }

  function pause(run: string, on: boolean): null {
    const playing = find(run);
    if (playing.paused === on) return null;
    playing.paused = on;
    const before = playing.sent.at(-1);
    const event: RunEvent = {
      run: playing.request.run,
      at_ms: before?.at_ms ?? Date.now(),
      elapsed_ms: before?.elapsed_ms ?? 0,
      kind: on ? { type: 'run_paused', reason: null } : { type: 'run_resumed' },
    };
    playing.sent.push(event);
    for (const watcher of playing.watchers) watcher([event]);
    tell(playing);
    if (!on) setTimeout(play, pace);
    return null;
  }

  function evaluate(run: string): ReportView {
    const { request, id } = find(run);
    const report = reportOf(request, id, `~/koab/reports/${id.replace('/', '_')}`);
    reports.set(id, report);
    return report;
  }

  function move(run: string, to: number): RunsNow {
    const request = queue.find((waiting) => waiting.run === run);
    if (!request) throw notFound(run);
    const others = queue.filter((waiting) => waiting.run !== run);
    queue = [...others.slice(0, to), request, ...others.slice(to)];
    return changed();
  }

  function between(from: RunSummary[], to: RunSummary[], run: string): void {
    const at = from.findIndex(({ id }) => id === run);
    const [moved] = at >= 0 ? from.splice(at, 1) : [];
    if (!moved) throw notFound(run);
    to.push(moved);
  }

  const commands: Record<string, (args: Record<string, unknown>) => unknown> = {
    run_queue: ({ requests }) => {
      queue.push(...(requests as RunRequest[]));
      next();
      return changed();
    },
    runs_now: now,
    run_unqueue: ({ run }) => {
      queue = queue.filter((waiting) => waiting.run !== run);
      return changed();
    },
    run_move: ({ run, to }) => move(String(run), Number(to)),
    run_pause: ({ run }) => pause(String(run), true),
    run_unpause: ({ run }) => pause(String(run), false),
    run_cancel: ({ run }) => cancel(String(run)),
    runs_stop: () => {
      queue = [];
      return current ? cancel(current.id) : null;
    },
    runs_list: () => [...listed],
    run_replay: ({ run }) => {
      const { request, sent } = find(String(run));
      return { run: request.run, events: [...sent], finished: true };
    },
    run_trash: ({ run }) => {
      between(listed, trash, String(run));
      return { key: `${String(run)}~1764547200`, unremoved: [] } satisfies Deleted;
    },
    trash_restore: ({ key }) => {
      const run = String(key).replace(/~\d+$/, '');
      between(trash, listed, run);
      return run;
    },
    trash_list: () => ({ items: [], days: 30 }) satisfies TrashView,
    run_judges: ({ run }) => {
      // Runs of earlier sessions had none.
      const score = runs.findLast(({ request, id }) => request.run === run || id === run)?.request.score;
      const judges = score?.judges ?? [];
      const from = judges.length > 0 ? 'run' : 'settings';
      return { judges, judge_base_url: score?.judge_base_url ?? null, judge_local: null, from } satisfies RunJudges;
    },
    run_evaluate: ({ request }) => evaluate((request as EvaluateRequest).run),
    run_estimate: ({ request }) => estimate(request as RunRequest),
    report_show: ({ run }) => reports.get(String(run)) ?? null,
    tasks_list: () => ({ pack: 'starter', version: '1.0.0', tasks: choices() }) satisfies TaskList,
  };

  return {
    commands,
    /** The run in progress, by the id it was asked for under. */
    going: () => current?.request.run ?? null,
    subscribe(run: string, onEvents: OnEvents) {
      const playing = find(run);
      playing.watchers.push(onEvents);
      return { run, events: [...playing.sent], finished: playing.left.length === 0 };
    },
  };
}

function choices(): TaskRow[] {
  return (['L1', 'L2', 'L3'] as const).flatMap((level) =>
    tasksOf(level).map((id) => ({
      id,
      level,
      category: null,
      instruction: `${id}: 서울역에서 강남역까지 가는 길을 알려 줘`,
      tools: [],
      calls: 1,
      answered: 1,
      flag: null,
      problems: 0,
    })),
  );
}

/** Ten calls and a thousand tokens an attempt, so that sums are easy to check. */
function estimate(request: RunRequest): DryRun {
  const free = request.model.startsWith('baseline/');
  const levels = request.levels.map((level): DryRun['levels'][number] => {
    const tasks = tasksOf(level).length;
    const attempts = tasks * request.repetitions;
    return {
      level,
      tasks,
      golden_calls: tasks,
      golden_open: 0,
      golden_missing: level === 'L3' ? ['L3-001'] : [],
      estimate: free
        ? null
        : {
            calls: 10 * attempts,
            prompt_tokens: 900 * attempts,
            completion_tokens: 100 * attempts,
            usd: null,
            minutes: 1,
            from: 'a guess',
          },
    };
  });
  const sum = (part: 'calls' | 'prompt_tokens' | 'completion_tokens' | 'minutes') =>
    levels.reduce((total, { estimate }) => total + (estimate?.[part] ?? 0), 0);
  return {
    pack: 'starter@1.0.0',
    model: request.model,
    attempts: (request.tasks?.length ?? levels.reduce((total, { tasks }) => total + tasks, 0)) * request.repetitions,
    levels,
    judges: (request.score?.judges ?? []).map((judge) => ({
      judge,
      known: 0,
      calls: 82,
      prompt_tokens: 0,
      completion_tokens: 0,
      usd: 0.41,
    })),
    estimate: free
      ? null
      : {
          calls: sum('calls'),
          prompt_tokens: sum('prompt_tokens'),
          completion_tokens: sum('completion_tokens'),
          usd: null,
          minutes: sum('minutes'),
          from: 'a guess',
        },
  };
}
