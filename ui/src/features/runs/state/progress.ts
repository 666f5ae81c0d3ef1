import type { LevelProgress, RunState } from './state';

/** Fewer finished attempts than this say too little about the rest. */
const ENOUGH = 3;

/** Milliseconds since the run began, by the caller's clock while it runs. */
export function elapsedAt(state: RunState, now: number): number {
  if (state.phase !== 'running') return state.elapsedMs;
  return Math.max(state.elapsedMs, now - state.startedAt);
}

/** Milliseconds in which the run went: pauses are left out. */
export function activeAt(state: RunState, now: number): number {
  const elapsed = elapsedAt(state, now);
  const pause = state.pausedAt === null ? 0 : elapsed - state.pausedAt;
  return Math.max(0, elapsed - state.pausedMs - pause);
}

/**
 * Milliseconds until the end at the pace so far; `null` when there is too little to tell from. What an earlier start
 * has finished says nothing about the pace of this one.
 */
export function remainingAt(state: RunState, now: number): number | null {
  return remaining(state, state.finished, state.planned, now);
}

/** The same for one level. Levels share the places in flight, so it is told only once some of its own have ended. */
export function levelRemainingAt(state: RunState, level: LevelProgress, now: number): number | null {
  if (level.finished >= level.planned) return null;
  const overall = remainingAt(state, now);
  if (overall === null || level.finished < ENOUGH) return null;
  const share = (level.planned - level.finished) / Math.max(1, state.planned - state.finished);
  return overall * share;
}

function remaining(state: RunState, finished: number, planned: number, now: number): number | null {
  const made = finished - state.kept;
  if (state.phase !== 'running' || made < ENOUGH) return null;
  return (activeAt(state, now) / made) * Math.max(0, planned - finished);
}

/** Tokens and USD of a run; `null` where they are not known. */
export interface Cost {
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly usd: number | null;
  /** Calls whose tokens nobody reported: with them, the others are lower bounds. */
  readonly unreported: number;
}

/** What the run costs so far; at its end what it has spent in all, also for attempts that were cut off. */
export function costOf({ price, counters, spent }: RunState): Cost {
  if (spent) {
    const { prompt_tokens: prompt, completion_tokens: completion, usd, unreported } = spent;
    return { prompt, completion, usd, unreported };
  }
  const { promptTokens: prompt, completionTokens: completion, unreported } = counters;
  const usd =
    price === null || prompt === null ? null : (prompt * price.input + (completion ?? 0) * price.output) / 1e6;
  return { prompt, completion, usd, unreported };
}
