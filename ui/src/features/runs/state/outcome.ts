import type { StopReason } from '../../../ipc/gen';
import type { CellState, Owner } from './state';

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
    case 'cut_off':
    case 'step_limit':
    case 'agent_failed':
    case 'budget_spent':
      return 'unanswered';
  }
}

/** Who it is attributed to that an attempt ended as it did. */
export function ownerOf(stop: StopReason): Owner {
  switch (stop) {
    case 'model_failed':
      return 'server';
    case 'budget_spent':
    case 'cancelled':
      return 'limit';
    case 'answered':
    case 'cut_off':
    case 'step_limit':
    case 'agent_failed':
    case 'timed_out':
      return 'model';
  }
}

/** Worst first: what needs attention must not hide behind what went well, nor behind what is still to come. */
const FIRST = [
  'running',
  'retrying',
  'failed',
  'unscored',
  'cancelled',
  'waiting',
  'unanswered',
  'done',
  'left_out',
] as const;

/** A task's state from those of its attempts. */
export function stateAfter(tally: Readonly<Record<CellState, number>>): CellState {
  return FIRST.find((state) => tally[state] > 0) ?? 'waiting';
}
