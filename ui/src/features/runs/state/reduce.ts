// (state, event) → state. The same function draws a live run, a reloaded one and a replay.
import { render } from '../../../shared/sentence';
import type { RetriedAttempt, RunEvent, RunEventKind, TaskSoFar } from '../../../ipc/gen';
import { cellStateOf, ownerOf, stateAfter } from './outcome';
import { cellSoFar, countersSoFar, sum } from './soFar';
import {
  IDLE,
  type Attempt,
  type Cell,
  type Counters,
  type Flight,
  type LevelProgress,
  type Made,
  type Problem,
  type RunState,
} from './state';

type Kind<T extends RunEventKind['type']> = Extract<RunEventKind, { type: T }>;

const NOTHING: Made = { steps: 0, calls: 0, hit: 0, miss: 0, injected: 0, refused: 0, live: 0, overlay: 0 };
const MADE = Object.keys(NOTHING) as (keyof Made)[];

const NOT_BEGUN: Attempt = { state: 'waiting', steps: 0, waitingFor: null };

/** The state after `event`. Events of another run, and events after the end, change nothing. */
export function reduce(state: RunState, event: RunEvent): RunState {
  if (event.kind.type === 'run_started') return started(event, event.kind);
  if (state.phase !== 'running' || state.run !== event.run) return state;
  return { ...apply(state, event.kind, event), elapsedMs: Math.max(state.elapsedMs, event.elapsed_ms) };
}

/** The state after a batch, oldest event first. */
export function reduceAll(state: RunState, events: readonly RunEvent[]): RunState {
  return events.reduce(reduce, state);
}

function started(event: RunEvent, kind: Kind<'run_started'>): RunState {
  const levels = kind.levels.map(({ level, tasks }): LevelProgress => ({
    level,
    cells: tasks.map((task) => emptyCell(task, level, kind.repetitions)),
    planned: tasks.length * kind.repetitions,
    finished: 0,
    failed: 0,
  }));
  return {
    ...IDLE,
    phase: 'running',
    run: event.run,
    model: kind.model,
    pack: kind.pack,
    protocol: kind.protocol,
    repetitions: kind.repetitions,
    concurrency: kind.concurrency,
    planned: kind.attempts,
    levels,
    places: new Map(
      levels.flatMap(({ cells }, level) => cells.map(({ task }, cell) => [task, { level, cell }] as const)),
    ),
    price: kind.price,
    damage: kind.problems ?? [],
    maxCost: kind.max_cost,
    maxTotalTokens: kind.max_total_tokens,
    startedAt: event.at_ms - event.elapsed_ms,
    elapsedMs: event.elapsed_ms,
    resumed: kind.resumed ?? false,
  };
}

function emptyCell(task: string, level: Cell['level'], repetitions: number): Cell {
  const attempts = new Array<undefined>(repetitions + 1).fill(undefined);
  const tally = {
    waiting: repetitions,
    running: 0,
    retrying: 0,
    done: 0,
    unanswered: 0,
    failed: 0,
    cancelled: 0,
    unscored: 0,
    left_out: 0,
  };
  return { task, level, attempts, tally, state: 'waiting', steps: 0, calls: 0, tokens: 0, error: null };
}

function apply(state: RunState, kind: RunEventKind, { at_ms: now, elapsed_ms }: RunEvent): RunState {
  switch (kind.type) {
    case 'run_started':
    // A wait and another call follow, or the attempt's end; both say more.
    case 'call_failed':
      return state;
    case 'attempt_started':
      return flying(
        onAttempt(state, kind, (attempt) => ({ ...attempt, state: 'running' })),
        kind,
        { level: kind.level, step: 0, doing: 'begins', since: now },
      );
    case 'step_started':
      return flying(
        onAttempt(state, kind, (attempt) => ({ ...attempt, state: 'running', waitingFor: null })),
        kind,
        { step: kind.step, doing: 'asks', since: now },
      );
    case 'step_finished':
      return flying(stepFinished(state, kind), kind, { step: kind.step, doing: 'reads', since: now });
    case 'tool_answered':
      return toolAnswered(state, kind);
    case 'waiting':
      return flying(
        onAttempt(state, kind, (attempt) => ({ ...attempt, state: 'retrying', waitingFor: kind.reason })),
        kind,
        { doing: 'waits', why: kind.reason, until: kind.until_ms, since: now },
      );
    case 'attempt_finished':
      return attemptFinished(state, kind);
    case 'attempts_ended':
      return attemptsEnded(state, kind.so_far);
    case 'run_paused':
      return { ...state, pausedAt: state.pausedAt ?? elapsed_ms, pausedFor: kind.reason };
    case 'run_resumed':
      return unpaused(state, elapsed_ms);
    case 'run_changed':
      return runChanged(state, kind);
    case 'run_finished':
      return runFinished(unpaused(state, elapsed_ms), kind);
  }
}

function unpaused(state: RunState, elapsedMs: number): RunState {
  if (state.pausedAt === null) return state;
  return { ...state, pausedAt: null, pausedFor: null, pausedMs: state.pausedMs + elapsedMs - state.pausedAt };
}

interface Of {
  task: string;
  repetition: number;
}

/** An attempt under way does something else now. Only its start makes it fly: what ended is not brought back. */
function flying(state: RunState, { task, repetition }: Of, change: Partial<Flight>): RunState {
  const at = state.flights.findIndex((flight) => flight.task === task && flight.repetition === repetition);
  const still = { why: null, until: null };
  if (at >= 0) return { ...state, flights: state.flights.with(at, { ...state.flights[at]!, ...still, ...change }) };
  const { level, since = 0 } = change;
  const attempts = cellOf(state, task)?.attempts;
  if (level === undefined || !attempts || isOver(attempts[repetition])) return state;
  const begun: Flight = { task, level, repetition, step: 0, doing: 'begins', ...still, since, made: NOTHING };
  return { ...state, flights: [...state.flights, begun] };
}

/** The sums with what an attempt made; `times` is -1 for what it made that counts no more. */
function added(counters: Counters, made: Partial<Made>, times = 1): Counters {
  const sums = MADE.map((name) => [name, counters[name] + times * (made[name] ?? 0)]);
  return { ...counters, ...(Object.fromEntries(sums) as Made) };
}

/** An attempt under way made something: it counts in the sums and is kept with the attempt. */
function counting(state: RunState, { task, repetition }: Of, made: Partial<Made>): RunState {
  const flights = state.flights.map((flight) =>
    flight.task === task && flight.repetition === repetition
      ? {
          ...flight,
          made: Object.fromEntries(MADE.map((name) => [name, flight.made[name] + (made[name] ?? 0)])) as Made,
        }
      : flight,
  );
  return { ...state, flights, counters: added(state.counters, made) };
}

function stepFinished(before: RunState, kind: Kind<'step_finished'>): RunState {
  const state = counting(before, kind, { steps: 1, calls: kind.calls });
  const { counters } = state;
  const moved = onAttempt(state, kind, () => ({ state: 'running', steps: kind.step, waitingFor: null }));
  return {
    ...moved,
    counters: {
      ...counters,
      promptTokens: sum(counters.promptTokens, kind.prompt_tokens),
      completionTokens: sum(counters.completionTokens, kind.completion_tokens),
      unreported: counters.unreported + (kind.prompt_tokens === null ? 1 : 0),
    },
  };
}

function toolAnswered(state: RunState, kind: Kind<'tool_answered'>): RunState {
  const counted = counting(state, kind, { [kind.source]: 1 });
  if (kind.source !== 'miss') return counted;
  const missing = { owner: 'pack', stop: null, message: null, tool: kind.tool } as const;
  return withProblem(counted, missing, kind.task);
}

function attemptFinished(state: RunState, kind: Kind<'attempt_finished'>): RunState {
  const ended = cellStateOf(kind.success, kind.stop);
  const cell = cellOf(state, kind.task);
  if (!cell || isOver(cell.attempts[kind.repetition])) return state;
  const attempt: Attempt = { state: ended, steps: kind.steps, waitingFor: null };
  const technical = ended === 'failed' ? 1 : 0;
  const begun = state.flights.some(({ task, repetition }) => task === kind.task && repetition === kind.repetition);
  const moved = onCell(state, kind.task, (old, level) => ({
    cell: {
      ...withAttempt(old, kind.repetition, attempt),
      calls: (old.calls ?? 0) + kind.calls,
      tokens: (old.tokens ?? 0) + kind.total_tokens,
      error: kind.error ?? old.error,
    },
    level: { ...level, finished: level.finished + 1, failed: level.failed + technical },
  }));
  const counted = {
    ...moved,
    finished: state.finished + 1,
    failed: state.failed + technical,
    kept: state.kept + (begun ? 0 : 1),
    flights: state.flights.filter(({ task, repetition }) => task !== kind.task || repetition !== kind.repetition),
  };
  if (kind.cut_off) {
    // Also where the protocol takes it for an answer: whoever reads the numbers must know.
    return withProblem(counted, { owner: 'model', stop: 'cut_off', message: null, tool: null }, kind.task);
  }
  if (kind.error === null && (ended === 'done' || ended === 'cancelled')) return counted;
  const problem = { owner: ownerOf(kind.stop), stop: kind.stop, message: kind.error, tool: null } as const;
  return withProblem(counted, problem, kind.task);
}

function attemptsEnded(state: RunState, soFar: TaskSoFar): RunState {
  let [finished, failed] = [0, 0];
  const moved = onCell(state, soFar.task, (old, level) => {
    const ended = cellSoFar(old, soFar);
    ({ finished, failed } = ended);
    return {
      cell: ended.cell,
      level: { ...level, finished: level.finished + finished, failed: level.failed + failed },
    };
  });
  const counted = {
    ...moved,
    counters: countersSoFar(state.counters, soFar),
    finished: state.finished + finished,
    failed: state.failed + failed,
    kept: state.kept + soFar.kept,
  };
  return soFar.problems.reduce((before, { stop, message, tool, count }) => {
    const owner = stop === null ? 'pack' : ownerOf(stop);
    return withProblem(before, { owner, stop, message, tool }, soFar.task, count);
  }, counted);
}

function runChanged(before: RunState, { record, planned }: Kind<'run_changed'>): RunState {
  const { change } = record;
  const left = change.what === 'leave_out' ? change.tasks.reduce(leftOut, before) : before;
  const state: RunState = { ...left, planned, changes: [...before.changes, record] };
  // Changes of an earlier start are among the settings that this one began with.
  if (record.at_ms < state.startedAt) return state;
  switch (change.what) {
    case 'concurrency':
      return { ...state, concurrency: change.to };
    case 'max_cost':
      return { ...state, maxCost: change.to };
    case 'max_total_tokens':
      return { ...state, maxTotalTokens: change.to };
    case 'retry':
      return change.attempts.reduce(reopened, state);
    default:
      return state;
  }
}

/** Attempts of the task that have not begun are not made. */
function leftOut(state: RunState, task: string): RunState {
  return onCell(state, task, (old, level) => {
    let cell = old;
    for (let repetition = 1; repetition < old.attempts.length; repetition += 1) {
      if ((old.attempts[repetition] ?? NOT_BEGUN).state !== 'waiting') continue;
      cell = withAttempt(cell, repetition, { ...NOT_BEGUN, state: 'left_out' });
    }
    return { cell, level };
  });
}

/** A failed attempt is made again; what it made stays in the sums, since it was paid for. */
function reopened(state: RunState, { task, repetition = 1 }: RetriedAttempt): RunState {
  const attempt = cellOf(state, task)?.attempts[repetition];
  if (!attempt || !isOver(attempt)) return state;
  const technical = attempt.state === 'failed' ? 1 : 0;
  const moved = onCell(state, task, (old, level) => ({
    cell: withAttempt(old, repetition, NOT_BEGUN),
    level: { ...level, finished: level.finished - 1, failed: level.failed - technical },
  }));
  return { ...moved, finished: state.finished - 1, failed: state.failed - technical };
}

function runFinished(state: RunState, kind: Kind<'run_finished'>): RunState {
  const ended: RunState = {
    ...state,
    phase: 'over',
    outcome: kind.outcome,
    folder: kind.folder,
    reason: kind.reason,
    finished: kind.done,
    failed: kind.failed,
    counters: state.flights.reduce((counters, { made }) => added(counters, made, -1), state.counters),
    spent: kind.spent ?? null,
    flights: [],
    levels: state.levels.map((level) => ({ ...level, cells: level.cells.map(atEnd) })),
  };
  if (kind.outcome !== 'failed') return ended;
  return withProblem(ended, { owner: 'product', stop: null, message: kind.reason, tool: null }, null);
}

/** Nothing runs on after the end: what was under way was cut off. */
function atEnd(cell: Cell): Cell {
  if (cell.tally.running + cell.tally.retrying === 0) return cell;
  let ended = cell;
  for (const [repetition, attempt] of cell.attempts.entries()) {
    if (!attempt || isOver(attempt) || attempt.state === 'left_out') continue;
    ended = withAttempt(ended, repetition, { ...attempt, state: 'cancelled', waitingFor: null });
  }
  return ended;
}

function isOver(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && !['waiting', 'running', 'retrying', 'left_out'].includes(attempt.state);
}

function cellOf(state: RunState, task: string): Cell | undefined {
  const place = state.places.get(task);
  return place && state.levels[place.level]?.cells[place.cell];
}

/** Changes an attempt that is not over yet; a late event of one that is changes nothing. */
function onAttempt(
  state: RunState,
  { task, repetition }: { task: string; repetition: number },
  change: (attempt: Attempt) => Attempt,
): RunState {
  return onCell(state, task, (cell, level) => {
    const attempt = cell.attempts[repetition] ?? NOT_BEGUN;
    if (isOver(attempt)) return { cell, level };
    return { cell: withAttempt(cell, repetition, change(attempt)), level };
  });
}

function withAttempt(cell: Cell, repetition: number, attempt: Attempt): Cell {
  // No attempt of the plan.
  if (repetition < 1 || repetition >= cell.attempts.length) return cell;
  const before = cell.attempts[repetition] ?? NOT_BEGUN;
  const tally = { ...cell.tally };
  tally[before.state] -= 1;
  tally[attempt.state] += 1;
  // Copied whole and then changed, which engines do many times faster than `with`.
  const attempts = cell.attempts.slice();
  attempts[repetition] = attempt;
  return {
    ...cell,
    attempts,
    tally,
    state: stateAfter(tally),
    steps: (cell.steps ?? 0) + attempt.steps - before.steps,
  };
}

function onCell(
  state: RunState,
  task: string,
  change: (cell: Cell, level: LevelProgress) => { cell: Cell; level: LevelProgress },
): RunState {
  const place = state.places.get(task);
  if (!place) return state;
  const level = state.levels[place.level];
  const old = level?.cells[place.cell];
  if (!old) return state;
  const changed = change(old, level);
  const cells = level.cells.with(place.cell, changed.cell);
  const planned = level.planned + old.tally.left_out - changed.cell.tally.left_out;
  return { ...state, levels: state.levels.with(place.level, { ...changed.level, planned, cells }) };
}

function withProblem(
  state: RunState,
  problem: Omit<Problem, 'key' | 'tasks' | 'count'>,
  task: string | null,
  count = 1,
): RunState {
  const key = [problem.owner, problem.stop, problem.tool, problem.message && render(problem.message, 'en')].join(
    '\u0000',
  );
  const at = state.problems.findIndex((candidate) => candidate.key === key);
  const old = state.problems[at];
  const before = old?.tasks ?? [];
  const tasks = task === null || before.includes(task) ? before : [...before, task];
  const next: Problem = { ...problem, key, tasks, count: (old?.count ?? 0) + count };
  return { ...state, problems: old ? state.problems.with(at, next) : [...state.problems, next] };
}
