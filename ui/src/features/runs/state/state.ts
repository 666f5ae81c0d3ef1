import type { ChangeRecord, Level, Price, Protocol, RunOutcome, StopReason, Sentence, Spent } from '../../../ipc/gen';

/**
 * How a task stands, over all its repetitions. `unscored`: a log from elsewhere has it in a form that cannot be read.
 * `left_out`: the user left it out before it began.
 */
export type CellState =
  'waiting' | 'running' | 'retrying' | 'done' | 'unanswered' | 'failed' | 'cancelled' | 'unscored' | 'left_out';

/** Who a problem is attributed to. Ours never look like the model's. */
export type Owner = 'model' | 'server' | 'pack' | 'limit' | 'product';

/** One attempt at a task. */
export interface Attempt {
  readonly state: CellState;
  /** Model turns so far. */
  readonly steps: number;
  /** Why the attempt waits before the next try; `null` when it does not. */
  readonly waitingFor: Sentence | null;
}

/** What an attempt under way has made so far. It leaves the sums where the attempt is cut off: nothing else counts it. */
export type Made = Omit<Counters, 'promptTokens' | 'completionTokens' | 'unreported'>;

/** What an attempt under way does now. */
export interface Flight {
  readonly task: string;
  readonly level: Level;
  readonly repetition: number;
  /** Model turn it is in, counted from 1; 0 before the first. */
  readonly step: number;
  /** `asks`: a model call is out; `reads`: its answer is in and its tool calls are answered; `waits`: see `why`. */
  readonly doing: 'begins' | 'asks' | 'reads' | 'waits';
  /** Why it waits, in the engine's words. */
  readonly why: Sentence | null;
  /** Until when it waits, milliseconds since the Unix epoch; `null` when that depends on others. */
  readonly until: number | null;
  /** Since when it does this, on the same clock. */
  readonly since: number;
  readonly made: Made;
}

/** One task of the grid. */
export interface Cell {
  readonly task: string;
  readonly level: Level;
  /** By repetition, counted from 1; attempts not begun are `undefined`, as is place 0. */
  readonly attempts: readonly (Attempt | undefined)[];
  /** How many of its attempts are in each state; those not begun wait. Kept, since a cell may have a thousand. */
  readonly tally: Readonly<Record<CellState, number>>;
  readonly state: CellState;
  /** Model turns, tool calls and tokens; `null` where a log from elsewhere does not say. */
  readonly steps: number | null;
  readonly calls: number | null;
  readonly tokens: number | null;
  /** Of the last attempt that had one. */
  readonly error: Sentence | null;
}

/** One level of the plan. */
export interface LevelProgress {
  readonly level: Level;
  readonly cells: readonly Cell[];
  /** Attempts: tasks × repetitions, without those left out. */
  readonly planned: number;
  readonly finished: number;
  /** Finished for technical reasons. */
  readonly failed: number;
}

/** Something that went wrong. Equal ones are counted, not repeated. */
export interface Problem {
  /** Equal for problems that count together. */
  readonly key: string;
  readonly owner: Owner;
  /** Why the attempt ended; `null` for a missing recording or for the run itself. */
  readonly stop: StopReason | null;
  /** The engine's sentence, or `null` when `stop` says it all. */
  readonly message: Sentence | null;
  /** The tool whose recording is missing. */
  readonly tool: string | null;
  /** Tasks it happened to, in order, each once. */
  readonly tasks: readonly string[];
  readonly count: number;
}

/** Sums over the attempts that have ended and those under way. */
export interface Counters {
  readonly steps: number;
  readonly calls: number;
  /** `null` until a server reports some: not every one counts. */
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Model calls whose tokens nobody reported: with them, tokens and cost are lower bounds. */
  readonly unreported: number;
  readonly hit: number;
  readonly miss: number;
  readonly injected: number;
  readonly refused: number;
  /** Asked of the live APIs, in write mode. */
  readonly live: number;
  /** Answered by what the live APIs said earlier. */
  readonly overlay: number;
}

/** A run as the screen draws it: a pure function of the events so far. */
export interface RunState {
  /** `idle`: no event yet. */
  readonly phase: 'idle' | 'running' | 'over';
  readonly run: string | null;
  readonly model: string;
  readonly pack: string;
  readonly protocol: Protocol;
  readonly repetitions: number;
  readonly concurrency: number;
  readonly levels: readonly LevelProgress[];
  /** Where each task's cell is, in the order of the grid; made once a run. */
  readonly places: ReadonlyMap<string, { readonly level: number; readonly cell: number }>;
  readonly planned: number;
  readonly finished: number;
  readonly failed: number;
  readonly counters: Counters;
  /** Attempts under way, the longest first. */
  readonly flights: readonly Flight[];
  /** Finished in an earlier start of the run. */
  readonly kept: number;
  /** USD per million tokens; `null` when nobody knows, or the model costs nothing. */
  readonly price: Price | null;
  /** What the run has spent in all, known at its end: attempts that were cut off or repeated included. */
  readonly spent: Spent | null;
  readonly maxCost: number | null;
  readonly maxTotalTokens: number | null;
  /** What was changed while it was being made, in any of its starts. */
  readonly changes: readonly ChangeRecord[];
  /** Since when the user holds it, in milliseconds of the run; `null` when it goes. */
  readonly pausedAt: number | null;
  /** Why no server answers, where it waits for that by itself. */
  readonly pausedFor: Sentence | null;
  /** Milliseconds of pauses that are over. */
  readonly pausedMs: number;
  readonly problems: readonly Problem[];
  /** What is wrong with the journal that it is drawn from, or goes on from, and that nothing contains its agent. */
  readonly damage: readonly string[];
  /** Wall clock of the start, milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Of the last event. */
  readonly elapsedMs: number;
  /** Whether an earlier start made a part of it: times are of this start alone. */
  readonly resumed: boolean;
  readonly outcome: RunOutcome | null;
  readonly folder: string | null;
  /** Why the run stopped early. */
  readonly reason: Sentence | null;
}

export const IDLE: RunState = {
  phase: 'idle',
  run: null,
  model: '',
  pack: '',
  protocol: 'leaderboard',
  repetitions: 1,
  concurrency: 1,
  levels: [],
  places: new Map(),
  planned: 0,
  finished: 0,
  failed: 0,
  counters: {
    steps: 0,
    calls: 0,
    promptTokens: null,
    completionTokens: null,
    unreported: 0,
    hit: 0,
    miss: 0,
    injected: 0,
    refused: 0,
    live: 0,
    overlay: 0,
  },
  flights: [],
  kept: 0,
  price: null,
  spent: null,
  maxCost: null,
  maxTotalTokens: null,
  changes: [],
  pausedAt: null,
  pausedFor: null,
  pausedMs: 0,
  problems: [],
  damage: [],
  startedAt: 0,
  elapsedMs: 0,
  resumed: false,
  outcome: null,
  folder: null,
  reason: null,
};
