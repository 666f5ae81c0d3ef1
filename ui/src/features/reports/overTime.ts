// The scores of one model's reports over their dates, and which of them a line may join.
import type { EChartsOption } from 'echarts';
import type { ReportRow, ScoreRange } from '../../ipc/gen';
import type { Palette } from '../../shared/chart/palette';
import { type Ends, whiskers } from '../../shared/chart/whiskers';

export type ScoreName = 'composite' | 'success';

export interface Point {
  row: ReportRow;
  time: number;
  value: number;
  range: ScoreRange | null;
}

export interface Line {
  /** What it was made under; of two with other conditions the scores are not compared. */
  conditions: ReportRow;
  /** Whether the conditions are all known: only then a line says that one score follows another. */
  joined: boolean;
  /** In the order of their dates. */
  points: Point[];
}

/** Milliseconds of `YYYYMMDD_HHMMSS` or `YYYYMMDD`, as if it were UTC; `null` for a text that is not a date. */
export function timeOf(date: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:_(\d\d)(\d\d)(\d\d))?$/.exec(date);
  if (!parts) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((one) => Number(one ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isNaN(time) ? null : time;
}

/** Scores of reports with the same key answer the same questions, by the same rules, by the same judges. */
export const conditionsOf = ({ pack, protocol, scorer, judges, tasks }: ReportRow): string =>
  JSON.stringify([pack, protocol, scorer, judges && [...judges].sort(), tasks]);

export const isKnown = ({ pack, protocol, judges, tasks }: ReportRow): boolean =>
  pack !== null && protocol !== null && judges !== null && tasks !== null;

/** A line for each of the conditions, whichever score is asked for, and the reports that have no place in the chart. */
export function linesOf(rows: readonly ReportRow[], score: ScoreName): { lines: Line[]; missing: ReportRow[] } {
  const lines = new Map<string, Line>();
  const missing: ReportRow[] = [];
  const dated = rows.map((row) => ({ row, time: timeOf(row.date) }));
  for (const { row, time } of dated.sort((one, other) => (one.time ?? 0) - (other.time ?? 0))) {
    const key = conditionsOf(row);
    const line = lines.get(key) ?? { conditions: row, joined: isKnown(row), points: [] };
    lines.set(key, line);
    const value = row.problem === null ? row[score] : null;
    const range = score === 'composite' ? row.composite_range : row.success_range;
    if (time === null || value === null) missing.push(row);
    else line.points.push({ row, time, value, range });
  }
  return { lines: [...lines.values()], missing };
}

/** The model that most of the reports are of; of several the one with the latest report. */
export function mainModel(rows: readonly ReportRow[]): string | null {
  const counts = new Map<string, number>();
  for (const { model } of rows) counts.set(model, (counts.get(model) ?? 0) + 1);
  const latest = rows.toSorted((one, other) => other.date.localeCompare(one.date));
  return latest.reduce<string | null>(
    (most, { model }) => (most === null || (counts.get(model) ?? 0) > (counts.get(most) ?? 0) ? model : most),
    null,
  );
}

interface Said {
  /** Name of a line in the legend. */
  line: (line: Line) => string;
  /** What a point says when pointed at. */
  point: (point: Point) => string;
}

const DAY = 24 * 60 * 60 * 1000;

/** `span` is the first and the last date of the model's reports, so that its charts have one scale. */
export function overTime(
  lines: readonly Line[],
  span: readonly number[],
  said: Said,
  { series }: Palette,
): EChartsOption {
  const shown = lines
    .map((line, place) => ({ ...line, name: said.line(line), color: series[place % series.length] ?? '' }))
    .filter(({ points }) => points.length > 0);
  const [first = 0, last = 0] = span;
  return {
    useUTC: true,
    grid: { left: 56, right: 24, top: 12, bottom: 34 + shown.length * 22 },
    legend: { bottom: 0, left: 0, orient: 'vertical', data: shown.map(({ name }) => name), selectedMode: false },
    tooltip: { trigger: 'item', formatter: (at) => (!Array.isArray(at) && at.name) || '' },
    xAxis: {
      type: 'time',
      axisLabel: { formatter: last - first < 3 * DAY ? '{MM}-{dd} {HH}:{mm}' : '{yyyy}-{MM}-{dd}', hideOverlap: true },
      min: first - DAY / 2,
      max: last + DAY / 2,
    },
    yAxis: { type: 'value', scale: true },
    series: shown.flatMap(({ name, color, joined, points }) => {
      const data = points.map((point) => ({ name: said.point(point), value: [point.time, point.value] }));
      const look = { name, data, symbol: 'circle', symbolSize: 8, itemStyle: { color, opacity: 1 } };
      const ends = points.flatMap(({ time, range }): Ends[] =>
        range?.interval ? [[time, range.interval.low, range.interval.high]] : [],
      );
      return [
        joined ? { ...look, type: 'line' as const, lineStyle: { color } } : { ...look, type: 'scatter' as const },
        { ...whiskers(ends, color), silent: true },
      ];
    }),
  };
}
