import { plural } from '../plural';

/** How many pairs differ, and how many cannot be compared. */
function summary(tested: string, untold: string, holm: string, refused: string): string {
  const without = (count: string) =>
    count === '0' ? 'all differ significantly' : `${count} with no significant difference`;
  const compared =
    tested === '0'
      ? 'No pair tested.'
      : `${plural(tested, 'pair')} tested: ${without(untold)} (at 0.05); after Holm’s correction over all of them, ${without(holm)}.`;
  return refused === '0' ? compared : `${compared} ${refused} not comparable.`;
}

export const compareTests = {
  conclusions: {
    title: 'Conclusion',
    baseline: 'Baseline',
    sides: {
      better: 'better than the baseline',
      worse: 'worse than the baseline',
      alike: 'no significant difference',
      untested: 'not tested',
    },
    points: (difference: string) => `${difference} points`,
    figure: (figure: string, tasks: string) =>
      `${figure}, ${plural(tasks, 'shared task')}; 95 % interval. 100 points are a score of 1.`,
    cost: (times: string) => `${times} × the cost`,
    free: 'no cost',
    costName: 'cost',
    costOf: (first: string, second: string) => `Cost of the run: ${first} → ${second}`,
    time: (more: string) => `${more} time`,
    timeTimes: (times: string) => `${times} × the time`,
    timeName: 'time',
    timeOf: (first: string, second: string) => `Seconds per task: ${first} → ${second}`,
    margin: (tasks: string) => `About ${plural(tasks, 'more task', 'more tasks')} to detect 5 points.`,
    enough: 'These tasks are enough to detect 5 points.',
    marginHint: 'Tasks until a true difference of 5 points is found in 8 of 10 comparisons (power 0.8, level 0.05).',
    p: (p: string) => `p ${p}`,
    holm: (p: string, tests: string) => `Holm p ${p} over ${plural(tests, 'test')}`,
    inWords: 'In words',
    note: 'Note…',
    tests: 'Tests',
    why: 'Why not fully comparable',
    more: (number: string) => `${plural(number, 'more pair')}`,
    together: (number: string) =>
      `Holm’s correction on this page covers each kind of figure (all metrics, all level scores) over its ${plural(number, 'pair')} with the baseline; each variant of the composite is corrected separately.`,
    by: (first: string, second: string) => `By the reports ${first} and ${second}.`,
  },
  title: 'Significance tests between two reports',
  first: 'First',
  second: 'Second',
  swap: 'Swap',
  scorer: 'Scoring rules',
  scorers: { leaderboard: 'Leaderboard scorer', corrected: 'Corrected scorer' },
  direction: (first: string, second: string) =>
    `Difference: ${second} − ${first}. Right of the line, the second is better.`,
  tasks: (number: string, leftOut: string) =>
    `${plural(number, 'shared task')}; ${leftOut} present in only one excluded.`,
  drawn: (draws: string, seed: string) => `${plural(draws, 'resample')}, seed ${seed}`,
  refused: 'Not tested: the two reports measure different things.',
  limited: 'Interpret with these caveats:',
  families: {
    metrics: 'Metrics',
    levels: 'Level scores',
    composites: 'Composites',
    common: 'Common metrics by level',
  },
  correction: (number: string, isVariant: boolean) =>
    `Holm’s correction over ${plural(number, 'test')}: ${isVariant ? 'this variant of the composite in all pairs' : 'all figures of this kind in all pairs'} of this page`,
  pValues: (p: string, holm: string, tests: string) => `p ${p}, Holm p ${holm} over ${plural(tests, 'test')}`,
  brief: ([first, firsts]: [string, string], [second, seconds]: [string, string], alike: string, untested: string) =>
    `◀ ${first} better: ${firsts} · ▶ ${second} better: ${seconds} · ＝ no significant difference: ${alike}${untested === '0' ? '' : ` · not tested: ${untested}`}`,
  columns: {
    figure: 'Measure',
    tasks: 'Tasks',
    picture: '95 % interval of the difference',
    difference: 'Difference',
    p: 'p',
    holm: 'Holm p',
    effect: 'Effect size',
    wins: 'Wins · losses',
    verdict: 'Conclusion',
  },
  explained: {
    tasks: 'Tasks scored in both reports. Only these are compared, paired by task.',
    difference: 'Value of the second report minus that of the first, over the shared tasks.',
    picture:
      '95 % interval: tasks are resampled with replacement within their level, all metrics of a task together; the middle 95 % of the differences.',
    p: 'Probability of a difference at least as large if the two were equal. Yes-or-no metrics: McNemar’s exact test on the tasks that only one solved. Otherwise: sign-flip test on the tasks’ differences, all assignments with up to 24 differing tasks, random ones with more.',
    holm: 'p value after Holm’s correction, since among many tests some appear significant by chance. It goes over the tests of this kind in all pairs of this page. Below 0.05 the difference is significant.',
    effect:
      'Yes-or-no metrics: Cohen’s g, the second’s share of the tasks that only one solved, minus 0.5 (0.05 small, 0.15 medium, 0.25 large). Otherwise: mean difference divided by the standard deviation of the tasks’ differences (0.2 small, 0.5 medium, 0.8 large).',
    wins: 'Tasks on which the second did better, and tasks on which the first did better.',
    verdict:
      'By the Holm p. Tasks needed: further tasks of the same kind until a difference like the observed one is found in 8 of 10 comparisons (power 0.8, level 0.05, before correction), if it is the true one.',
  },
  tests: {
    mcnemar: 'McNemar’s exact test',
    flips_all: 'sign-flip test, all assignments',
    flips_drawn: 'sign-flip test, random assignments',
  },
  better: (model: string) => `${model} is better`,
  alike: 'No significant difference',
  alikeByHolm: 'No significant difference after Holm’s correction',
  aloneIntervals: 'The interval and p are for this difference alone; the conclusion uses the Holm p.',
  untested: 'Not tested',
  needs: (tasks: string, times: string) =>
    `needs about ${plural(tasks, 'more task', 'more tasks')}, or at least ${times} times the attempts per task`,
  needsExplained:
    'If the observed difference is the true one: power 0.8 at level 0.05 before correction. Attempts: a lower bound, as if all variance came from chance within tasks.',
  how: 'Methods',
  fold: 'Tests and methods',
  foldHint: 'the p value of each figure, and the tests that it is corrected with',
  ofFamily: (holm: string, family: string, tests: string) => `${holm} (${family}: ${plural(tests, 'test')})`,
  effects: {
    title: (figures: string, first: string) => `${figures}: difference to ${first}, in points`,
    titleOf: (second: string, first: string) => `${second} − ${first}, in points`,
    points: 'Points [95 % interval]',
    over: (tests: string) => `Holm’s correction over ${plural(tests, 'test')}`,
    tests: (tests: string) => plural(tests, 'test'),
    alone: 'p value after Holm’s correction, and the number of tests that it covers',
    explained:
      'Left of 0 the baseline is better. Filled squares: significant after correction. Each interval is for its difference alone.',
  },
  ranks: {
    title: 'Rank uncertainty',
    by: 'Ranked by',
    success_rate: 'Success rate (SR)',
    rangeExplained: (tasks: string) =>
      `The ${plural(tasks, 'task')} that all reports have and that count in this score are resampled 10,000 times within their level, the same draw for all; each draw is ranked. 95 % of a report’s ranks lie in this range.`,
    first: 'P(rank 1)',
    firstExplained: 'Share of the resamples in which no other report was better.',
    verdict: 'vs best',
    verdictExplained:
      'Each report is tested against the best one on the same tasks, with Holm’s correction over these tests.',
    judges: 'Judge sensitivity',
    best: 'best',
    withBest: 'no significant difference from the best',
    below: 'below the best',
    picture: (low: string, high: string) => `rank ${low} to ${high}`,
  },
  matrix: {
    title: 'All pairs',
    open: 'All pairs of reports',
    back: 'Compare chosen reports',
    explained:
      'McNemar’s exact test for each pair of reports on the same tasks, the report with the highest share first. Each cell compares the row with the column and opens the tests of the two.',
    summary: (tested: string, untold: string, holm: string, refused: string) => summary(tested, untold, holm, refused),
    none: 'Fewer than two reports are comparable by this measure.',
    leftOut: (number: string) => `${plural(number, 'report')} without data for this measure`,
    limited: 'Italics: only partly comparable.',
    share: 'Solved',
    unranked: (own: string, others: string) =>
      `Over ${plural(own, 'task')}: not ranked among shares over ${plural(others, 'task')}.`,
    window: (from: string, to: string, all: string) => `${from}–${to} of ${all}`,
    rows: 'Rows',
    marks: {
      best: 'better, also after Holm’s correction',
      better: 'better on its own (p < 0.05)',
      alike: 'no significant difference',
      worse: 'worse on its own (p < 0.05)',
      worst: 'worse, also after Holm’s correction',
      refused: 'not comparable',
      none: 'no shared tasks',
    },
    cell: (row: string, column: string, said: string) => `${row} vs ${column}: ${said}`,
    counts: (row: string, column: string) =>
      `solved only by the row: ${plural(row, 'task')}, only by the column: ${plural(column, 'task')}`,
  },
};
