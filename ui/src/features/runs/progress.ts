import type { RunState } from './state';

/** Fewer finished attempts than this say too little about the rest. */
const ENOUGH = 3;

/** Milliseconds since the run began, by the caller's clock while it runs. */
export function elapsedAt(state: RunState, now: number): number {
  if (state.phase !== 'running') return state.elapsedMs;
  return Math.max(state.elapsedMs, now - state.startedAt);
}

/** Milliseconds until the end at the pace so far; `null` when there is too little to tell from. */
export function remainingAt(state: RunState, now: number): number | null {
  if (state.phase !== 'running' || state.finished < ENOUGH) return null;
  return (elapsedAt(state, now) / state.finished) * Math.max(0, state.planned - state.finished);
}
