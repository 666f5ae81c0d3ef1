// From attempts to what is drawn of them.
import { score } from '../../shared/format';
import type { EChartsOption } from 'echarts';
import type { AttemptMark, RepeatedFigure, RepeatedMetric, RepeatedTaskView } from '../../ipc/gen';
import type { Palette } from '../../shared/chart/palette';
import { type Ends, whiskers } from '../../shared/chart/whiskers';

export type MarkState = 'success' | 'failure' | 'unscored' | 'missing';

export const MARKS: Record<MarkState, string> = { success: '✓', failure: '✗', unscored: '?', missing: '·' };

export function stateOf({ made, success }: AttemptMark): MarkState {
  if (!made) return 'missing';
  if (success === null) return 'unscored';
  return success === 1 ? 'success' : 'failure';
}

/** The share of a task's judged attempts that succeeded: what a column of strips is sorted by. */
export function shareOf(task: RepeatedTaskView | undefined): number | null {
  const judged = (task?.attempts ?? []).flatMap(({ success }) => success ?? []);
  return judged.length === 0 ? null : judged.reduce((sum, one) => sum + one, 0) / judged.length;
}

/** Metrics of which an attempt is right or wrong, so that there is a pass@k. */
export const counted = (metrics: readonly RepeatedMetric[]) => metrics.filter(({ pass_at }) => pass_at.length > 0);

const four = (value: unknown) => score(typeof value === 'number' ? value : null);

/** pass@k and pass^k over k, each with its intervals. */
export function passes(
  at: RepeatedFigure[],
  all: RepeatedFigure[],
  attempts: string,
  { text, series }: Palette,
): EChartsOption {
  const [first = text, second = text] = series;
  const names = at.map(({ k }) => String(k));
  const ends = (figures: RepeatedFigure[]) =>
    figures.flatMap(({ range: { interval } }, x): Ends[] => (interval ? [[x, interval.low, interval.high]] : []));
  const line = (name: string, figures: RepeatedFigure[], color: string) => ({
    type: 'line' as const,
    name,
    // As its intervals.
    lineStyle: { color },
    itemStyle: { color },
    symbolSize: 7,
    data: figures.map(({ value }) => value),
    tooltip: { valueFormatter: four },
  });
  return {
    grid: { left: 40, right: 12, top: 32, bottom: 44 },
    legend: { top: 0, data: ['pass@k', 'pass^k'] },
    tooltip: { trigger: 'item' },
    xAxis: { type: 'category', data: names, name: attempts, nameLocation: 'middle', nameGap: 26 },
    yAxis: { type: 'value', min: 0, max: 1, interval: 0.25 },
    series: [
      line('pass@k', at, first),
      line('pass^k', all, second),
      { ...whiskers(ends(at), first), name: 'pass@k', tooltip: { valueFormatter: four } },
      { ...whiskers(ends(all), second), name: 'pass^k', tooltip: { valueFormatter: four } },
    ],
  };
}
