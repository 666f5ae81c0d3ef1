import type { StopReason } from '../../ipc/types';
import type { Attempt, CellState, Owner } from './state';

/** What an attempt's end means for its cell. Right or wrong is not known yet: scoring comes later. */
export function cellStateOf(success: boolean, stop: StopReason): CellState {
  if (success) return 'done';
  switch (stop) {
    case 'model_failed':
    case 'timed_out':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'answered':
    case 'step_limit':
    case 'budget_spent':
      return 'unanswered';
  }
}

/** Whose doing it is that an attempt ended as it did. */
export function ownerOf(stop: StopReason): Owner {
  switch (stop) {
    case 'model_failed':
      return 'server';
    case 'budget_spent':
    case 'cancelled':
      return 'limit';
    case 'answered':
    case 'step_limit':
    case 'timed_out':
      return 'model';
  }
}

/** Worst first: what needs attention must not hide behind what went well. */
const WORST_FIRST = ['failed', 'cancelled', 'unanswered', 'done'] as const;

/** A task's state from its attempts, of which `repetitions` are planned. */
export function stateAfter(attempts: readonly Attempt[], repetitions: number): CellState {
  const has = (state: CellState) => attempts.some((attempt) => attempt.state === state);
  if (has('running')) return 'running';
  if (has('retrying')) return 'retrying';
  const worst = WORST_FIRST.find(has);
  if (worst === 'failed' || worst === 'cancelled') return worst;
  return attempts.length >= repetitions ? (worst ?? 'waiting') : 'waiting';
}
