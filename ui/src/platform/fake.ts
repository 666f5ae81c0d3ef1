// A host that plays a scripted run: for working on the UI in a browser, and for tests. Never part of a built product.
import type { Commands, EvaluateRequest, ReportView, RunEvent, RunRequest, RunSummary, WireError } from '../ipc/types';
import { INFO, MODELS, PACKS, reportOf } from './fakeData';
import { script } from './fakeScript';
import type { OnEvents, Platform } from './types';

export interface FakeOptions {
  /** Milliseconds between batches. */
  pace?: number;
  /** Events a batch. */
  batch?: number;
  /** Commands that fail, and how. */
  failing?: Partial<Record<string, WireError>>;
  /** Answers to commands that the scripted host does not play itself, or other answers than its own. */
  answers?: { [C in keyof Commands]?: (args: Commands[C]['args']) => Commands[C]['answer'] };
  /** What the host around the page does; by default nothing is picked, kept, dropped or told. */
  host?: Partial<Platform>;
}

interface Playing {
  request: RunRequest;
  sent: RunEvent[];
  left: RunEvent[];
  watchers: OnEvents[];
}

/** A fresh host with nothing run yet. */
export function createFake({ pace = 80, batch = 3, failing = {}, answers = {}, host = {} }: FakeOptions = {}): Platform {
  const runs = new Map<string, Playing>();
  const listed: RunSummary[] = [];
  const reports = new Map<string, ReportView>();
  let packs = PACKS;

  const folderOf = (id: string) => `~/koab/logs/benchmark_results/by_model/${id}`;
  const idOf = (request: RunRequest, order: number) =>
    `${request.model.replace('/', '_')}/20261120_1200${String(order).padStart(2, '0')}`;

  function emit(playing: Playing, events: RunEvent[]): void {
    playing.sent.push(...events);
    // As in the product: the run is listed before anybody hears that it is over.
    const last = events.at(-1)?.kind;
    if (last?.type === 'run_finished') list(playing, last.outcome === 'completed');
    for (const watcher of playing.watchers) watcher(events);
  }

  function list({ request }: Playing, complete: boolean): void {
    const id = idOf(request, listed.length);
    listed.push({
      id,
      held_by: null,
      resume: null,
      usd: null,
      model: request.model,
      date: id.split('/').at(-1) ?? '',
      pack: 'starter@1.0.0',
      protocol: request.protocol,
      levels: request.levels.map((level) => ({ level, tasks: 1 })),
      complete,
      folder: folderOf(id),
    });
  }

  function play(playing: Playing): void {
    const next = playing.left.splice(0, batch);
    if (next.length === 0) return;
    emit(playing, next);
    setTimeout(() => play(playing), pace);
  }

  function start(request: RunRequest, onEvents: OnEvents): void {
    const left = script(request, folderOf(idOf(request, listed.length)), Date.now());
    const playing: Playing = { request, sent: [], left, watchers: [onEvents] };
    runs.set(request.run, playing);
    setTimeout(() => play(playing), pace);
  }

  function cancel(run: string): void {
    const playing = runs.get(run);
    const end = playing?.left.at(-1);
    if (!playing || end?.kind.type !== 'run_finished') return;
    const done = playing.sent.filter(({ kind }) => kind.type === 'attempt_finished').length;
    playing.left = [{ ...end, kind: { ...end.kind, outcome: 'cancelled', done, failed: 0 } }];
  }

  function evaluate({ run }: EvaluateRequest): ReportView {
    const at = listed.findIndex(({ id }) => id === run);
    const request = [...runs.values()][at]?.request;
    if (!request) throw { code: 'not_found', message: `there is no run ${run}` } satisfies WireError;
    const report = reportOf(request, run, `~/koab/reports/${run.replace('/', '_')}`);
    reports.set(run, report);
    return report;
  }

  function answer(command: string, args: Record<string, unknown>): unknown {
    const error = failing[command];
    if (error) throw error;
    const other = answers[command as keyof Commands] as ((args: unknown) => unknown) | undefined;
    if (other) return other(args);
    switch (command) {
      case 'app_info':
        return { ...INFO, current_run: [...runs.values()].find(({ left }) => left.length > 0)?.request.run ?? null };
      case 'packs_list':
        return packs;
      case 'pack_use':
        packs = packs.map((pack) => ({ ...pack, active: pack.name === args['name'] }));
        return null;
      case 'models_list':
        return MODELS;
      case 'runs_list':
        return [...listed];
      case 'run_cancel':
        return cancel(String(args['run']));
      case 'run_evaluate':
        return evaluate(args['request'] as EvaluateRequest);
      case 'activities_list':
        return [];
      case 'report_show':
        return reports.get(String(args['run'])) ?? null;
      default:
        throw { code: 'internal', message: `the scripted host has no command ${command}` } satisfies WireError;
    }
  }

  return {
    host: 'browser',
    call: async (command, args) => answer(command, args),
    stream: async (command, args, onEvents) => {
      const error = failing[command];
      if (error) throw error;
      if (command === 'run_start') return start(args['request'] as RunRequest, onEvents);
      const run = String(args['run']);
      const playing = runs.get(run);
      if (!playing) throw { code: 'not_found', message: `there is no run ${run}` } satisfies WireError;
      playing.watchers.push(onEvents);
      return { run, events: [...playing.sent], finished: playing.left.length === 0 };
    },
    onCloseRequested: async () => () => undefined,
    close: async () => undefined,
    pick: async () => [],
    save: async () => null,
    onDrop: async () => () => undefined,
    notify: async () => undefined,
    open: async () => undefined,
    ...host,
  };
}
