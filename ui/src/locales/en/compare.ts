import { plural } from '../plural';

export const compare = {
  parts: { first: 'Against the first report', ranks: 'Rank uncertainty', pairs: 'All pairs' },
  none: 'Choose two or more reports to compare.',
  oneMore: 'Choose at least one more report.',
  hint: 'Reports come from scoring runs or importing published ones: drop their files anywhere on the window.',
  picker: {
    title: 'Reports to compare',
    description: 'The first report chosen is the baseline for the others.',
    none: 'No reports yet. Score a run, or drop report files on the window.',
    order: '№',
    broken: (number: string) =>
      `${plural(number, 'unreadable report')} not listed; see the Reports screen for details.`,
    chosen: (number: string) => `${number} chosen`,
    clear: 'Clear',
  },
  differences: {
    title: 'These reports differ in more than the model',
    unknown: 'not stated',
    what: {
      scorer: 'Scoring rules',
      protocol: 'Protocol of the run',
      pack: 'Pack',
      judges: 'Judges',
      levels: 'Levels',
      tasks: 'Tasks per level',
      evaluated: 'Scored tasks per level',
    },
  },
  rank: {
    title: (variant: string) => `Ranking by composite (${variant})`,
    titleOf: (metric: string) => `Ranking by ${metric}`,
    reading: (variant: string, counts: string) =>
      `${variant}, a composite variant available in all these reports: ${counts}.`,
    delta: 'Δ vs baseline',
    deltaHint:
      'The baseline is the report chosen first. The others are compared with it, whatever its rank. Differences are of unrounded values.',
    cost: 'Run cost',
    tokens: 'Tokens/task',
    seconds: 'Seconds/task',
    reference: 'baseline',
    spent: 'Actual cost',
    computed: 'Computed from token counts and the price table',
    notSaid: 'The report lacks this value for some levels',
  },
  matrix: {
    title: 'Levels and metrics',
    explained:
      'A level’s number is the mean of its own metrics; SR and the other common ones are listed below it. The small number is the difference to the baseline, the report chosen first.',
    tasksBy: (level: string, metric: string) => `${level} tasks by ${metric}`,
    intervals: 'Show 95 % intervals',
    best: 'best',
    chance:
      'An interval shows how far a value could vary with more tasks of the same kind. Overlapping intervals do not decide whether two reports differ: use the tests above, which compare task by task.',
  },
  scatter: {
    title: 'Cost vs score',
    axis: 'Horizontal axis',
    usd: 'Cost of the run (USD)',
    tokens: 'Tokens per task',
    label: (axis: string, variant: string) => `Composite ${variant} by ${axis}`,
    none: 'No report has both this value and a composite score.',
    computed: 'Actual cost where known, otherwise computed from token counts and the price table.',
    missing: (number: string) => `${number} without one of the two not shown.`,
  },
  tasks: {
    title: 'Wins and losses by task',
    differing: 'Differences only',
    against: (first: string) => `vs ${first}`,
    wins: (number: string) => `▲ ${plural(number, 'win')}`,
    losses: (number: string) => `▼ ${plural(number, 'loss', 'losses')}`,
    ties: (number: string) => `${plural(number, 'tie')}`,
    missing: (number: string) => `${number} not comparable`,
    unscored: 'No score for this task in this report',
    without: (models: string) => `${models}: summary only, no per-task scores.`,
    none: 'No report has per-task scores.',
    label: (metric: string) => `Tasks by ${metric}`,
  },
  beside: {
    back: 'Comparison',
    none: 'No report has this task.',
    transcript: 'Transcript',
    open: 'Open',
    noRun: 'not available',
    noRunHint: 'Import the run’s logs to view its transcript.',
    label: (task: string) => `Scores of ${task}`,
  },
};
