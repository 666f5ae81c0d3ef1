import { expect, it } from 'vitest';
import { asSvg, draw } from './engine';
import { palette, themeOf } from './palette';

// jsdom has no canvas; ECharts then estimates how wide a text is.

const OPTION = {
  xAxis: { type: 'category' as const, data: ['레벨 <1>'] },
  yAxis: { type: 'value' as const },
  series: [{ type: 'bar' as const, data: [1] }],
};

it('names of fonts with spaces leave a kept chart well-formed', () => {
  document.documentElement.style.fontFamily = 'system-ui, "Noto Sans CJK KR", sans-serif';
  const colours = palette();
  document.documentElement.style.fontFamily = '';
  expect(colours.font).toContain('Noto Sans CJK KR');
  const svg = asSvg(OPTION, themeOf(colours), { width: 400, height: 200 });
  expect(new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')).toBeNull();
});

it('a chart that is kept is a document of its own: escaped, still, without styles that a strict page refuses', () => {
  const svg = asSvg(OPTION, themeOf(palette()), { width: 400, height: 200 });
  const document = new DOMParser().parseFromString(svg, 'image/svg+xml');
  expect(document.documentElement.tagName).toBe('svg');
  expect([...document.querySelectorAll('text')].map(({ textContent }) => textContent)).toContain('레벨 <1>');
  expect(document.querySelectorAll('style, script, foreignObject')).toHaveLength(0);
});

it('a chart on the page has the colours of the page from the start', () => {
  const colours = { ...palette(), text: '#e4e8eb', muted: '#9ca8b2', line: '#343c44', series: ['#6cbdd6'] };
  const element = document.createElement('div');
  const chart = draw(element, themeOf(colours), { width: 400, height: 200 });
  chart.setOption({ animation: false, ...OPTION });
  const used = (attribute: string) =>
    [...element.querySelectorAll(`[${attribute}]`)].map((part) => part.getAttribute(attribute)?.toLowerCase());
  expect(new Set([...element.querySelectorAll('text')].map((text) => text.getAttribute('fill')))).toEqual(
    new Set([colours.muted]),
  );
  expect(used('fill')).toContain(colours.series[0]);
  expect(used('stroke')).toContain(colours.line);
  chart.dispose();
});
