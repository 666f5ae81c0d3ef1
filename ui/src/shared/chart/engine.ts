// ECharts, the parts of it that screens use. Only ever imported when a chart is first drawn.
//
// The content security policy allows no style attribute in markup. ECharts' SVG renderer sets styles through CSSOM, which
// is allowed; its HTML tooltips write `style="…"` into markup, which is not, so tooltips are drawn inside the SVG
// (`richText`). An SVG cannot be made a picture through an image element either (no `data:` or `blob:` images), so
// pictures come from the canvas renderer.
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { type ECharts, init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  LabelLayout,
  SVGRenderer,
  CanvasRenderer,
]);

export type { ECharts };

export interface Size {
  width: number;
  height: number;
}

/** A chart that lives in an element. ECharts takes another theme later, but none before it first has something to show. */
export const draw = (element: HTMLElement, theme: object, size?: Size): ECharts =>
  init(element, theme, { renderer: 'svg', ...size });

/** The chart as a picture file's text. It needs nothing around it. */
export function asSvg(option: EChartsOption, theme: object, size: Size): string {
  const chart = init(null, theme, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption({ ...option, animation: false });
    // Without the rules for hovering: the picture is still, and may stand in a page that allows no style element.
    return chart.renderToSVGString().replace(/<style[\s\S]*?<\/style>/, '');
  } finally {
    chart.dispose();
  }
}

/** The chart as a picture of twice its size on screen, sharp in print. */
export function asPng(option: EChartsOption, theme: object, size: Size): Uint8Array<ArrayBuffer> {
  const element = document.createElement('div');
  const chart = init(element, theme, { renderer: 'canvas', devicePixelRatio: 2, ...size });
  try {
    chart.setOption({ ...option, animation: false });
    // Canvas layers are painted with the next frame unless asked for now.
    chart.getZr().flush();
    const [, encoded = ''] = chart.renderToCanvas({ pixelRatio: 2 }).toDataURL('image/png').split(',', 2);
    return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
  } finally {
    chart.dispose();
  }
}
