// The levels of a report, or another benchmark's groups, by one measure: the level score or any metric that several levels share.
import type { ReportDetail, ScoreRange, Sentence } from '../../ipc/gen';
import { sharedMetrics } from './rows';

export interface Measured {
  /** A level; of the whole, the variant of the composite or the metric. */
  level: string;
  value: number | null;
  reason: Sentence | null;
  range: ScoreRange | undefined;
  tasks: number | null;
}

/** A group of another benchmark has one metric, which is its score. */
export const measuresOf = ({ benchmark, levels }: ReportDetail): string[] => [
  ...(benchmark ? [] : ['score']),
  ...sharedMetrics(levels),
];

/** The one that is asked for, if the report has it, else the first. */
export function measureOf(report: ReportDetail, asked: string | undefined): string {
  const all = measuresOf(report);
  return all.find((measure) => measure === asked) ?? all[0] ?? 'score';
}

export const measuredLevels = ({ levels }: ReportDetail, measure: string): Measured[] =>
  levels.map((level) => {
    const metric = level.metrics.find((one) => one.metric === measure);
    const tasks = level.evaluated ?? level.tasks;
    return measure === 'score'
      ? { level: level.level, value: level.score, reason: level.reason, range: level.range, tasks }
      : {
          level: level.level,
          value: metric?.mean ?? null,
          reason: metric?.reason ?? null,
          range: metric?.range,
          tasks: metric?.scored ?? tasks,
        };
  });

/** Of the level scores the composite, of a metric its mean over all tasks. */
export function wholeOf({ composites, row, overall, benchmark }: ReportDetail, measure: string): Measured | undefined {
  if (benchmark) return undefined;
  if (measure !== 'score') {
    const found = overall.find(({ metric }) => metric === measure);
    return found && { ...found, level: measure };
  }
  const found = composites.find(({ variant }) => variant === row.variant) ?? composites[0];
  return found && { ...found, level: found.variant, range: found.range, tasks: null };
}
