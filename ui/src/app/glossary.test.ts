// The glossary of metrics: what it says of each, and that a key opens it at the one that is meant.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import spec from '../../../docs/spec/metrics.md?raw';
import * as en from '../locales/en';
import * as ko from '../locales/ko';
import { onExplain } from '../shared/explain';
import { locale } from '../shared/locale.svelte';
import MetricName from '../shared/MetricName.svelte';
import Head from '../shared/table/Head.svelte';
import { Layout } from '../shared/table/layout.svelte';
import { metricMeant, METRICS, VARIANTS } from './glossary';
import Glossary from './Glossary.svelte';

const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];
let mounted: Record<string, unknown> | undefined;

afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
  document.body.replaceChildren();
});

/** Level and mark of each metric in the table of the specification. */
function specified(): Map<string, { levels: string[]; judged: boolean; dropped: boolean }> {
  const table = spec.slice(spec.indexOf('## 2 Which metrics'), spec.indexOf('### 2.1'));
  const found = new Map<string, { levels: string[]; judged: boolean; dropped: boolean }>();
  for (const [, level = '', names = ''] of table.matchAll(/^\| (all|L\d) \| (.+) \|$/gm))
    for (const name of names.split(', '))
      found.set(name.replace(/[()*\\]/g, ''), {
        levels: level === 'all' ? LEVELS : [level],
        judged: name.includes('*'),
        dropped: name.startsWith('('),
      });
  return found;
}

describe('the table of metrics', () => {
  it('says of each what the specification says', () => {
    const found = specified();
    expect(found.size).toBeGreaterThan(20);
    const { RRR, ...rest } = METRICS;
    expect(RRR.levels).toEqual(LEVELS);
    const said = Object.entries(rest).map(([name, { levels, judged, dropped }]) => [
      name,
      { levels, judged, dropped: dropped ?? false },
    ]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(found));
  });

  it('has an explanation of each in every language', () => {
    for (const { metrics } of [en, ko])
      for (const name of Object.keys(METRICS)) expect(metrics.text(name)?.formula, name).toBeTruthy();
    for (const { metrics } of [en, ko])
      for (const variant of VARIANTS) {
        expect(metrics.counts(variant), variant).toBeTruthy();
        expect(metrics.label(variant), variant).not.toContain(variant);
      }
  });
});

describe('the metric that is meant', () => {
  const focus = (markup: string) => {
    document.body.innerHTML = markup;
    document.querySelector<HTMLElement>('[tabindex]')?.focus();
    return metricMeant();
  };

  it('is the nearest one around the focus', () => {
    expect(focus('<table><tr data-metric="SR"><td data-metric="FSM"><b tabindex="0"></b></td></tr></table>')).toBe(
      'FSM',
    );
    expect(focus('<div data-overall="SR"><i tabindex="0"></i></div>')).toBe('SR');
    expect(focus('<div data-variant="flat_seed"><i tabindex="0"></i></div>')).toBe('flat_seed');
  });

  it('is that of a column, also under another name', () => {
    expect(focus('<div data-column="success"><i tabindex="0"></i></div>')).toBe('SR');
    expect(focus('<div data-heading="L3"><i tabindex="0"></i></div>')).toBe('score');
  });

  it('is none where nothing is a metric', () => {
    expect(focus('<div data-column="date"><i tabindex="0"></i></div>')).toBeNull();
    expect(focus('<div data-metric="unheard"><i tabindex="0"></i></div>')).toBeNull();
  });
});

describe('the name of a metric', () => {
  it('asks for its explanation when pressed, alone and in the head of a table', () => {
    const asked: string[] = [];
    const stop = onExplain((metric) => asked.push(metric));
    const press = (element: Element | null | undefined) => {
      expect(element?.tagName).toBe('BUTTON');
      (element as HTMLElement).click();
    };
    mounted = mount(MetricName, { target: document.body, props: { metric: 'SR' } });
    flushSync();
    press(document.querySelector('[data-explains]'));
    const columns = [
      { id: 'a', header: 'Success', metric: 'SR', value: () => 1, width: 60 },
      { id: 'b', header: 'Date', value: () => 1, width: 60 },
    ];
    let sorted: unknown = null;
    const head = mount(Head, {
      target: document.body,
      props: {
        columns,
        ticked: null,
        onTick: () => undefined,
        layout: new Layout('metrics'),
        pins: new Map(),
        get sort() {
          return null;
        },
        set sort(now) {
          sorted = now;
        },
      },
    });
    flushSync();
    const mark = document.querySelector('[data-heading="a"] [data-explains]');
    expect(mark?.getAttribute('aria-label')).toBe('Explain SR');
    expect(document.querySelector('[data-heading="b"] [data-explains]')).toBeNull();
    press(mark);
    expect(sorted).toBeNull();
    expect(asked).toEqual(['SR', 'SR']);
    stop();
    press(mark);
    expect(asked).toHaveLength(2);
    void unmount(head);
  });
});

describe('the glossary', () => {
  const open = (metric: string | null) => {
    mounted = mount(Glossary, { target: document.body, props: { metric, onClose: () => undefined } });
    flushSync();
  };
  const terms = () =>
    [...document.querySelectorAll<HTMLElement>('[data-terms] [data-term]')].map((one) => one.dataset['term']);

  it('begins with the metric that is meant, and has all', () => {
    open('RedundantCallRate');
    const here = document.querySelector('[data-here]')?.textContent ?? '';
    expect(here).toContain('1 − redundant calls / chances to reuse.');
    expect(here).toContain('L6');
    expect(here).toContain('can be below 0');
    expect(here).toContain('from the log alone');
    expect(terms()).toHaveLength(22 + 1 + 6);
  });

  it('is narrowed by words', () => {
    open(null);
    expect(document.querySelector('[data-here]')).toBeNull();
    const search = document.querySelector<HTMLInputElement>('#glossary-search');
    if (search) search.value = 'FALLBACK';
    search?.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    expect(terms()).toEqual(['AdaptiveRoutingScore', 'FallbackSR']);
  });

  it('explains variants of the composite in the language that is shown', () => {
    locale.choose('ko');
    open('flat_report');
    const here = document.querySelector('[data-here]')?.textContent;
    expect(here).toContain('0.40 × 기본(L1–L3)');
    expect(here).toContain('ProvAcc와 ReuseRate 제외');
    expect(document.body.textContent).not.toContain('flat_report');
    locale.choose('en');
  });
});
