// From numbers to what ECharts draws.
import { score } from '../../shared/format';
import type { EChartsOption } from 'echarts';
import type { ScoreRange } from '../../ipc/gen';
import type { Palette } from '../../shared/chart/palette';
import { type Ends, whiskers } from '../../shared/chart/whiskers';

export interface LevelValue {
  name: string;
  value: number | null;
  range: ScoreRange;
}

const four = (value: unknown) => score(typeof value === 'number' ? value : null);

/** `slanted`: with names too long to stand beside each other. */
export function bars(
  levels: LevelValue[],
  label: string,
  interval: string,
  { text }: Palette,
  slanted = false,
): EChartsOption {
  const ends = levels.flatMap(({ range: { interval: found } }, at): Ends[] =>
    found ? [[at, found.low, found.high]] : [],
  );
  return {
    grid: { left: slanted ? 64 : 36, right: 8, top: 12, bottom: slanted ? 96 : 28 },
    tooltip: { trigger: 'item' },
    xAxis: {
      type: 'category',
      data: levels.map(({ name }) => name),
      ...(slanted && { axisLabel: { rotate: 40, interval: 0, width: 118, overflow: 'truncate' as const } }),
    },
    // A rate can be below 0 (RedundantCallRate), so the axis only begins there where it may.
    yAxis: { type: 'value', min: ({ min }) => Math.min(0, Math.floor(min * 10) / 10), max: 1, interval: 0.25 },
    series: [
      {
        type: 'bar',
        name: label,
        barMaxWidth: 40,
        data: levels.map(({ value }) => value),
        tooltip: { valueFormatter: four },
      },
      { ...whiskers(ends, text), name: interval, tooltip: { valueFormatter: four } },
    ],
  };
}

export interface TaskPoint {
  level: string;
  task: string;
  seconds: number;
  tokens: number;
}

/** Each task by what it took, a colour a level. */
export function scatter(points: TaskPoint[], seconds: string, tokens: string): EChartsOption {
  const levels = [...new Set(points.map(({ level }) => level))];
  return {
    grid: { left: 56, right: 16, top: 12, bottom: 64 },
    legend: { bottom: 0 },
    tooltip: { formatter: (shown) => ('name' in shown ? shown.name : '') },
    xAxis: { type: 'value', name: seconds, nameLocation: 'middle', nameGap: 24 },
    yAxis: { type: 'value', name: tokens, nameTextStyle: { align: 'left' }, nameGap: -2, scale: true },
    series: levels.map((level) => ({
      type: 'scatter' as const,
      name: level,
      symbolSize: 7,
      data: points
        .filter((point) => point.level === level)
        .map((point) => ({
          name: `${point.task}: ${point.seconds.toFixed(1)} s, ${point.tokens}`,
          value: [point.seconds, point.tokens],
        })),
    })),
  };
}
