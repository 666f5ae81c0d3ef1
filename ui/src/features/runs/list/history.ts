// How a run of the list stands, in one word, and which of them the app offers to go on with.
import type { EndedRun, RunSummary } from '../../../ipc/gen';

export type RunStanding =
  | 'damaged'
  | 'complete'
  | 'faulty'
  | 'here'
  | 'held'
  | 'cluster'
  | 'interrupted'
  | 'cancelled'
  | 'budget'
  | 'failed'
  | 'imported'
  | 'incomplete';

export function standingOf({ complete, held_by, status, remote, unreadable }: RunSummary): RunStanding {
  if (unreadable) return 'damaged';
  if (!status) return complete ? 'imported' : 'incomplete';
  if (held_by !== null) return status.here ? 'here' : 'held';
  if (remote && !complete) return 'cluster';
  switch (status.outcome) {
    case 'completed':
      return status.failed > 0 ? 'faulty' : 'complete';
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

/** Attempts of a whole run that failed for technical reasons: going on with it makes these again, and nothing else. */
export const failedOf = (run: RunSummary): number => (standingOf(run) === 'faulty' ? (run.status?.failed ?? 0) : 0);

/** The newest run, if its process was killed in the middle of it and it can go on. Older ones were seen before. */
export function interruptedLast(runs: readonly RunSummary[]): RunSummary | null {
  const own = runs.filter(({ status }) => status !== undefined);
  const newest = own.reduce<RunSummary | null>((last, run) => (last && last.date >= run.date ? last : run), null);
  return newest && newest.resume !== null && standingOf(newest) === 'interrupted' ? newest : null;
}

/** Whether a run of the queue could not start. */
export const isUnbegun = ({ outcome, error }: EndedRun): boolean => outcome === null && error !== null;

/** The last try to resume the run, if it could not begin. `asked`: the run of each try, which the engine does not name then. */
export function failedResume(
  ended: readonly EndedRun[],
  asked: ReadonlyMap<string, string>,
  run: string,
): EndedRun | null {
  const last = ended.findLast((one) => one.id === run || asked.get(one.run) === run);
  return last && isUnbegun(last) ? last : null;
}

/** Classes of the states that are told apart by their colour. */
export const COLOURS: Partial<Record<RunStanding, string>> = {
  here: 'text-accent',
  interrupted: 'text-warn',
  cancelled: 'text-warn',
  budget: 'text-warn',
  incomplete: 'text-warn',
  held: 'text-warn',
  faulty: 'text-bad',
  failed: 'text-bad',
  damaged: 'text-bad',
};
