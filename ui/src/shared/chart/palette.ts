// The colours and the font of the page as ECharts needs them: resolved, because it knows neither variables nor
// `light-dark()`.

export interface Palette {
  text: string;
  muted: string;
  line: string;
  surface: string;
  /** One for each series; the eighth is followed by the first. */
  series: string[];
  font: string;
}

const NAMES = ['text', 'muted', 'line', 'surface'] as const;
const SERIES = 8;

/** The colours as they are shown now. */
export function palette(): Palette {
  const probe = document.createElement('span');
  document.body.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const [text, muted, line, surface] = NAMES.map(resolved) as [string, string, string, string];
  const series = Array.from({ length: SERIES }, (_, at) => resolved(`series-${at + 1}`));
  // ECharts writes the font into an attribute of an SVG file without escaping it.
  const font = getComputedStyle(document.documentElement).fontFamily.replaceAll('"', "'");
  probe.remove();
  return { text, muted, line, surface, series, font };
}

/** The light colours, whatever is shown now: pictures that are kept are for paper. */
export function paperPalette(): Palette {
  // The build turns `light-dark()` into variables that are resolved at the root, so only the root can answer for the
  // other scheme. Nothing is painted between the two changes.
  const { dataset } = document.documentElement;
  const shown = dataset['theme'];
  dataset['theme'] = 'light';
  const light = palette();
  if (shown === undefined) delete dataset['theme'];
  else dataset['theme'] = shown;
  return light;
}

/** An ECharts theme. Tooltips are drawn within the chart (see `engine.ts`). */
export function themeOf({ text, muted, line, surface, series, font }: Palette): object {
  const label = { color: muted, fontFamily: font };
  const axis = {
    axisLine: { lineStyle: { color: line } },
    axisTick: { lineStyle: { color: line } },
    axisLabel: label,
    nameTextStyle: label,
    splitLine: { lineStyle: { color: line } },
  };
  return {
    color: series,
    textStyle: { fontFamily: font, fontSize: 12, color: text },
    legend: { textStyle: { color: text, fontFamily: font }, pageTextStyle: label, inactiveColor: line },
    tooltip: {
      renderMode: 'richText',
      backgroundColor: surface,
      borderColor: line,
      textStyle: { fontFamily: font, fontSize: 12, color: text },
      axisPointer: { lineStyle: { color: muted }, shadowStyle: { color: line, opacity: 0.25 } },
    },
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: axis,
    timeAxis: axis,
    logAxis: axis,
  };
}
