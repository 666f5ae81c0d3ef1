// What each metric measures and how it is computed, and what the two scorers do differently.

export interface MetricText {
  what: string;
  formula: string;
}

const METRICS: Record<string, MetricText> = {
  SR: {
    what: 'Success rate: share of requests that judges find fulfilled.',
    formula: 'A task counts 1 when most votes of the first judge say yes, else 0.',
  },
  EPR_CVR: { what: 'Share of valid tool calls.', formula: 'Valid calls / all calls of the task.' },
  'pass@k': {
    what: 'Share of repetitions that ended with an answer.',
    formula: 'Repetitions with an answer / repetitions.',
  },
  ToolAcc: {
    what: 'The first call is to the right tool.',
    formula: '1 when the first called tool is the golden one, else 0.',
  },
  ArgAcc: {
    what: 'The arguments mean the same as the golden ones.',
    formula: 'The judges’ grade from 1 to 5, rescaled to 0–1.',
  },
  CallEM: { what: 'Tool and arguments match exactly.', formula: '1 when the call equals the golden call, else 0.' },
  RespOK: { what: 'The answer has the required form.', formula: '1 when the answer fits the response schema, else 0.' },
  SelectAcc: {
    what: 'The chosen tool is the right one.',
    formula: '1 when the chosen tool is the golden one, else 0.',
  },
  FSM: {
    what: 'The calls follow the golden path exactly.',
    formula: '1 when the sequence of tools equals the golden one, else 0.',
  },
  PSM: {
    what: 'Share of the golden path that was followed.',
    formula: 'Weight of golden steps whose tool was called / weight of all golden steps.',
  },
  ΔSteps_norm: {
    what: 'Number of calls compared with the minimum needed.',
    formula: '1 minus the calls beyond the minimum, as a share of the minimum; never below 0.',
  },
  ProvAcc: {
    what: 'Values were taken from the right result.',
    formula: 'Arguments taken from the right earlier result / arguments that should be.',
  },
  Coverage: {
    what: 'Share of the required sources that answered.',
    formula: 'Required tools with a result / required tools.',
  },
  SourceEPR: {
    what: 'Valid calls, averaged over the sources.',
    formula: 'Mean over the required tools of valid calls / calls.',
  },
  AdaptiveRoutingScore: {
    what: 'How soon a fallback is tried after the failure.',
    formula: '1 / (1 + turns between the failure and the fallback).',
  },
  FallbackSR: { what: 'Share of fallback calls that succeed.', formula: 'Successful fallback calls / fallback calls.' },
  ReuseRate: {
    what: 'Share of the chances to reuse an earlier result that were taken.',
    formula: 'Reused results / chances to reuse one.',
  },
  RedundantCallRate: { what: 'Absence of redundant calls.', formula: '1 − redundant calls / chances to reuse.' },
  EffScore: {
    what: 'Minimum calls divided by calls made, when the request was fulfilled.',
    formula: 'Minimum calls / calls made; 0 when it was not fulfilled.',
  },
  ContextRetention: {
    what: 'How well the context is retained over the turns, by judges.',
    formula: 'The judges’ mean grade from 1 to 5, rescaled to 0–1.',
  },
  RefRecall: {
    what: 'How well early facts are recalled, by judges.',
    formula: 'The judges’ mean grade from 1 to 5, rescaled to 0–1.',
  },
  RRR: { what: 'Share of tasks that ended with an answer.', formula: 'Tasks with an answer / tasks.' },
};

/** Variants of the composite, each named by what it contains; the names in files are for files alone. */
const VARIANTS: Record<string, { name: string; counts: string }> = {
  flat_report: {
    name: 'Composite',
    counts: 'Composite of the metrics that published reports contain (ProvAcc and ReuseRate left out).',
  },
  flat_seed: {
    name: 'Composite with ProvAcc and ReuseRate',
    counts: 'Composite of all metrics that the benchmark’s documentation names.',
  },
  levelmean_report: {
    name: 'Composite of level means',
    counts: 'The metrics of the composite; those of L1, L2 and L3 are averaged within their level first.',
  },
  levelmean_seed: {
    name: 'Composite of level means with ProvAcc and ReuseRate',
    counts: 'All documented metrics; those of L1, L2 and L3 are averaged within their level first.',
  },
  flat_common_report: {
    name: 'Composite with SR, EPR_CVR and pass@k',
    counts: 'The metrics of the composite, and SR, EPR_CVR and pass@k of each level.',
  },
  flat_common_seed: {
    name: 'Composite with SR, EPR_CVR, pass@k, ProvAcc and ReuseRate',
    counts: 'All documented metrics, and SR, EPR_CVR and pass@k of each level.',
  },
};

export const metrics = {
  /** By which name a metric is shown. The published pass@k counts answers, right or not; that of repetitions counts successes. */
  label: (name: string): string => (name === 'pass@k' ? 'pass@k (answered)' : (VARIANTS[name]?.name ?? name)),
  /** What a variant of the composite counts; null for any other metric. */
  counts: (variant: string): string | null => VARIANTS[variant]?.counts ?? null,
  /** Null for a metric that nobody here knows. */
  text: (name: string): MetricText | null => METRICS[name] ?? null,
  glossary: {
    description:
      'What each metric measures, how it is computed, and on which levels. Press a metric’s name, or I while it is in focus or under the pointer, to start with it.',
    explain: (name: string) => `Explain ${name}`,
    find: 'Name or words of a metric',
    none: (text: string) => `No metric matches “${text}”.`,
    formula: 'Formula',
    allLevels: 'all',
    range: 'Range',
    ranges: { share: '0 or 1 per task; mean 0–1', unit: '0–1', open: 'at most 1; can be below 0' },
    judges: { yes: 'with a judge', no: 'from the log alone', partly: 'with a judge on levels with a judged metric' },
    published: 'Published',
    dropped: 'not in the reports of December 2025',
    score: {
      name: 'Level score',
      what: 'How well a level went as a whole.',
      formula: 'Plain mean of the level’s own metrics; SR, EPR_CVR, pass@k and RRR do not count.',
    },
    composite: {
      what: 'Four parts of the benchmark in one number. A part without a value leaves it without one. Variants that count other metrics are named by them.',
      formula:
        '0.40 × Basic (L1–L3) + 0.20 × Error handling (L5) + 0.25 × Efficiency (L6) + 0.15 × Context (L7); each part is the mean of its metrics. L4 does not count.',
    },
  },
  /** The engine's own words, which are English, serve here. */
  difference: (_id: string): { leaderboard: string; corrected: string } | null => null,
};
