// How a run of the list stands, in one word, and which of them the app offers to go on with.
import type { EndedRun, RunSummary } from '../../ipc/gen';

export type RunStanding =
  | 'complete'
  | 'here'
  | 'held'
  | 'cluster'
  | 'interrupted'
  | 'cancelled'
  | 'budget'
  | 'failed'
  | 'imported'
  | 'incomplete';

export const STANDINGS: readonly RunStanding[] = [
  'complete',
  'here',
  'held',
  'cluster',
  'interrupted',
  'cancelled',
  'budget',
  'failed',
  'imported',
  'incomplete',
];

export function standingOf({ complete, held_by, status, remote }: RunSummary): RunStanding {
  if (!status) return complete ? 'imported' : 'incomplete';
  if (held_by !== null) return status.here ? 'here' : 'held';
  if (remote && !complete) return 'cluster';
  switch (status.outcome) {
    case 'completed':
      return 'complete';
    case 'cancelled':
      return 'cancelled';
    case 'budget_spent':
      return 'budget';
    case 'failed':
      return 'failed';
    default:
      return 'interrupted';
  }
}

/** The newest run, if its process was killed in the middle of it and it can go on. Older ones were seen before. */
export function interruptedLast(runs: readonly RunSummary[]): RunSummary | null {
  const own = runs.filter(({ status }) => status !== undefined);
  const newest = own.reduce<RunSummary | null>((last, run) => (last && last.date >= run.date ? last : run), null);
  return newest && newest.resume !== null && standingOf(newest) === 'interrupted' ? newest : null;
}

/** Whether a run of the queue could not start. */
export const isUnbegun = ({ outcome, error }: EndedRun): boolean => outcome === null && error !== null;

/** Classes of the states that are told apart by their colour. */
export const COLOURS: Partial<Record<RunStanding, string>> = {
  here: 'text-accent',
  interrupted: 'text-warn',
  cancelled: 'text-warn',
  budget: 'text-warn',
  incomplete: 'text-warn',
  held: 'text-warn',
  failed: 'text-bad',
};
