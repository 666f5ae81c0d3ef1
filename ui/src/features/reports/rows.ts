// From a report to what the two tables draw.
import type { LevelReport, MetricFigure } from '../../ipc/gen';

/** A metric on at least this many levels gets a column of its own; the rest belong to their level. */
const SHARED_BY = 2;

/** Metrics that several levels have, in order of first appearance. With one level, all of them. */
export function sharedMetrics(levels: readonly LevelReport[]): string[] {
  const uses = new Map<string, number>();
  for (const { metrics } of levels) for (const { metric } of metrics) uses.set(metric, (uses.get(metric) ?? 0) + 1);
  const needed = Math.min(SHARED_BY, levels.length);
  return [...uses].filter(([, count]) => count >= needed).map(([metric]) => metric);
}

export function metricOf(level: LevelReport, name: string): MetricFigure | undefined {
  return level.metrics.find(({ metric }) => metric === name);
}

/** The metrics of a level that have no column of their own. */
export function ownMetrics(level: LevelReport, shared: readonly string[]): MetricFigure[] {
  return level.metrics.filter(({ metric }) => !shared.includes(metric));
}
