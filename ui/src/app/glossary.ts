// What the glossary of metrics says beside their explanations, and which metric the user means. A test holds the table to
// `docs/spec/metrics.md`.
import type { Level, MetricId } from '../ipc/gen';

/** `share`: a task counts 0 or 1; `unit`: from 0 to 1; `open`: at most 1, without a lower bound. */
export type Range = 'share' | 'unit' | 'open';

export interface Term {
  levels: readonly Level[];
  range: Range;
  /** `null`: on some of its levels. */
  judged: boolean | null;
  /** Whether the published December reports are without it. */
  dropped?: boolean;
}

const ALL: readonly Level[] = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];
const term = (levels: readonly Level[], range: Range, more: Partial<Term> = {}): Term => ({
  levels,
  range,
  judged: false,
  ...more,
});
const JUDGED = { judged: true };
const DROPPED = { dropped: true };

export const METRICS: Record<MetricId, Term> = {
  SR: term(ALL, 'share', JUDGED),
  EPR_CVR: term(ALL, 'unit'),
  'pass@k': term(ALL, 'share'),
  ToolAcc: term(['L1'], 'share'),
  ArgAcc: term(['L1'], 'unit', JUDGED),
  CallEM: term(['L1'], 'share'),
  RespOK: term(['L1'], 'share'),
  SelectAcc: term(['L2'], 'share'),
  FSM: term(['L3'], 'share'),
  PSM: term(['L3'], 'unit'),
  ΔSteps_norm: term(['L3'], 'unit'),
  ProvAcc: term(['L3'], 'unit', DROPPED),
  Coverage: term(['L4'], 'unit'),
  SourceEPR: term(['L4'], 'unit'),
  AdaptiveRoutingScore: term(['L5'], 'unit'),
  FallbackSR: term(['L5'], 'unit'),
  ReuseRate: term(['L6'], 'unit', DROPPED),
  RedundantCallRate: term(['L6'], 'open'),
  EffScore: term(['L6'], 'unit', JUDGED),
  ContextRetention: term(['L7'], 'unit', JUDGED),
  RefRecall: term(['L7'], 'unit', JUDGED),
  RRR: term(ALL, 'share'),
};

/** Variants of the composite as files name them, the one that is shown first. */
export const VARIANTS = [
  'flat_report',
  'flat_seed',
  'levelmean_report',
  'levelmean_seed',
  'flat_common_report',
  'flat_common_seed',
] as const;

/** Of all levels but L4; judges answer for parts of each. */
export const COMPOSITE: Term = term(
  ALL.filter((level) => level !== 'L4'),
  'open',
  JUDGED,
);
export const LEVEL_SCORE: Term = term(ALL, 'open', { judged: null });

export const isTerm = (name: string): boolean =>
  name in METRICS || VARIANTS.some((variant) => variant === name) || name === 'composite' || name === 'score';

/** Names of table columns that stand for a metric. */
const COLUMNS: Record<string, string> = { success: 'SR' };
for (const level of ALL) COLUMNS[level] = 'score';

const MARKED = '[data-metric], [data-overall], [data-variant], [data-column], [data-heading]';

function nameAt(start: Element | null | undefined): string | null {
  for (
    let place = start?.closest<HTMLElement>(MARKED);
    place;
    place = place.parentElement?.closest<HTMLElement>(MARKED)
  ) {
    const { metric, overall, variant, column, heading = column ?? '' } = place.dataset;
    const name = metric ?? overall ?? variant ?? COLUMNS[heading] ?? heading;
    if (isTerm(name)) return name;
  }
  return null;
}

/** The metric that has the focus, else the one under the pointer; whoever shows a metric marks it. */
export const metricMeant = (): string | null =>
  nameAt(document.activeElement) ?? nameAt([...document.querySelectorAll(':hover')].at(-1));
