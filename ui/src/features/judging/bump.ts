// Ranks under each panel as lines that cross where judges put runs in another order.
import type { EChartsOption } from 'echarts';

export interface Line {
  name: string;
  /** Rank under each panel, 1 the best. */
  ranks: (number | null)[];
}

/** Colours alone do not tell more lines apart than these; forms of points and kinds of lines go along. */
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'] as const;
const LINES = ['solid', 'dashed', 'dotted'] as const;

export function bump(panels: string[], lines: Line[], rank: string, colours: string[]): EChartsOption {
  const last = Math.max(1, ...lines.flatMap(({ ranks }) => ranks.flatMap((one) => one ?? [])));
  const drawn = lines.map(
    ({ name, ranks }, at) =>
      ({
        type: 'line',
        name,
        data: ranks,
        symbol: SYMBOLS[at % SYMBOLS.length],
        symbolSize: 8,
        lineStyle: { type: LINES[Math.floor(at / 8) % LINES.length], width: 2 },
        emphasis: { focus: 'series' },
      }) as const,
  );
  return {
    color: colours,
    grid: { left: 44, right: 24, top: 16, bottom: 110 },
    legend: { bottom: 0, type: 'scroll' },
    tooltip: { trigger: 'item' },
    xAxis: {
      type: 'category',
      data: panels,
      boundaryGap: true,
      axisLabel: { interval: 0, rotate: panels.length > 4 ? 30 : 0, width: 130, overflow: 'truncate' },
    },
    yAxis: {
      type: 'value',
      name: rank,
      inverse: true,
      min: 1,
      max: last,
      interval: 1,
      minInterval: 1,
      nameLocation: 'start',
    },
    series: drawn,
  };
}
