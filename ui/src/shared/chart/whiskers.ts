// Intervals of a chart: a line from the lower to the upper end with short ends.
import type { CustomSeriesOption, CustomSeriesRenderItem } from 'echarts';

/** Place on the x axis, lower end, upper end. */
export type Ends = [x: number, low: number, high: number];

const whisker: CustomSeriesRenderItem = (_, api) => {
  const [x, top] = api.coord([api.value(0), api.value(2)]) as [number, number];
  const [, bottom] = api.coord([api.value(0), api.value(1)]) as [number, number];
  const line = (x1: number, y1: number, x2: number, y2: number) => ({
    type: 'line' as const,
    shape: { x1, y1, x2, y2 },
    style: { stroke: api.visual('color') as string, lineWidth: 1.5 },
  });
  return {
    type: 'group',
    children: [line(x, top, x, bottom), line(x - 5, top, x + 5, top), line(x - 5, bottom, x + 5, bottom)],
  };
};

/** A series of intervals, over the values that they belong to. */
export function whiskers(ends: Ends[], color: string): CustomSeriesOption {
  return { type: 'custom', renderItem: whisker, itemStyle: { color }, encode: { x: 0, y: [1, 2] }, data: ends, z: 3 };
}
