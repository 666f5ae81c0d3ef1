import { plural } from '../plural';

export const repetitions = {
  tab: 'Repetitions',
  about:
    'Each task was attempted several times. pass@k is the probability that at least one of k attempts succeeds, 1 − C(n−c,k)/C(n,k); pass^k that all k succeed, C(c,k)/C(n,k). Intervals resample tasks with all their attempts. The published files contain the first attempt only.',
  planned: (count: string) => `${plural(count, 'attempt')} per task`,
  firstOnly: 'Only first attempts were judged.',
  scope: 'Tasks',
  chart: (metric: string) => `pass@k and pass^k of ${metric}`,
  atLeastOne: (metric: string) => `pass@k of ${metric}`,
  allOf: (metric: string) => `pass^k of ${metric}`,
  attempts: 'Attempts k',
  low: 'lower',
  high: 'upper',
  leftOut: (count: string) => `${count} excluded`,
  leftOutHint: 'Tasks with too few scored attempts',
  means: 'Means over all attempts',
  mean: 'All attempts',
  runs: 'By repetition',
  disagree: 'Inconsistent tasks',
  disagreeHint: 'Tasks with both successful and failed attempts',
  disagreeing: (metric: string) => `Inconsistent tasks by ${metric}`,
  none: 'None: all attempts at each task had the same result.',
  of: (some: string, all: string) => `${some} of ${all}`,
  stripHint:
    'SR of each attempt: ✓ success, ✗ failure, ? unscored, · not run. Select a mark to open that attempt’s transcript.',
  mark: (number: string, state: string) => `attempt ${number}: ${state}`,
  states: { success: 'success', failure: 'failure', unscored: 'unscored', missing: 'not run' },
  notBinary: 'Attempts are not simply right or wrong by this metric.',
};
