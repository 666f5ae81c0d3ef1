import { beforeEach, expect, it } from 'vitest';
import type { CompareView, ComparedValues, Judgement, ReportRow } from '../../ipc/gen';
import { REPORT_ROW } from '../../shared/reports/row.fixture';
import { parsePlace } from '../../shared/route.svelte';
import { openScreen, put, screensForTests, settle } from '../../shared/screenForTests';
import { comparedReport } from './report.fixture';
import Screen from './Screen.svelte';
import { MATRIX, RANKS, tested } from './tests.fixture';

const of = (values: (number | null)[], best: boolean[] = []): ComparedValues => ({
  values,
  reasons: values.map((value) => (value === null ? 'the level was not evaluated' : null)),
  intervals: values.map((value) => (value === 0.75 ? { low: 0.6, high: 0.85, method: 'bootstrap' as const } : null)),
  no_interval: values.map((value) => (value === null || value === 0.75 ? null : 'every task has the same score')),
  deltas: values.map((value) => (value === null || values[0] == null ? null : value - values[0])),
  best: values.map((_, at) => best[at] ?? false),
});

const JUDGED: Judgement = {
  grade: 'not_comparable',
  findings: [
    {
      code: 'other_protocol',
      aspect: 'protocol',
      place: 'settings.protocol',
      grade: 'not_comparable',
      reason: 'they were run under different protocols: leaderboard, corrected',
      remedy: 'run one of the two again under the same conditions as the other',
    },
  ],
};

const report = (id: string, run: string | null, judged: Judgement | null = null) =>
  comparedReport(id, {
    execution_date: '20251219',
    run,
    tokens_per_task: 100,
    usd_reason: 'the price table has no price of it',
    standing: { leaderboard: 'limited', with_first: judged },
  });

const VIEW: CompareView = {
  reports: [report('a', 'a/20251219_113310'), report('b', null, JUDGED)],
  differences: [{ what: 'judges', values: ['j/1', ''] }],
  matrix: {
    levels: [
      {
        level: 'L3',
        own: of([0.5, 0.75], [false, true]),
        metrics: [{ metric: 'FSM', means: of([0.5, 0.75], [false, true]) }],
      },
      { level: 'L4', own: of([0.5, null]), metrics: [{ metric: 'Coverage', means: of([0.5, null]) }] },
    ],
    composites: [{ variant: 'flat_report', reading: 'over the published metrics', values: of([0.6, null]) }],
    ranks: [1, null],
    tasks: [
      { level: 'L3', task: 'L3-001', metrics: [{ metric: 'FSM', scores: [0, 1] }] },
      { level: 'L3', task: 'L3-002', metrics: [{ metric: 'FSM', scores: [1, 1] }] },
    ],
    duels: [{ level: 'L3', metric: 'FSM', report: 1, wins: 1, losses: 0, ties: 1, missing: 0 }],
  },
};

const row = (id: string, change: Partial<ReportRow> = {}): ReportRow => ({
  ...REPORT_ROW,
  id,
  model: id.toUpperCase(),
  pack: 'starter@1.0.0',
  composite: 0.5,
  tasks: 91,
  comparability: 'limited',
  ...change,
});
const LIBRARY = [
  row('a'),
  row('b', { tags: ['기준'] }),
  row('c', { pack: 'other@2.0.0' }),
  row('d', { problem: 'is not JSON' }),
];

const asked: string[][] = [];

screensForTests();
beforeEach(() => {
  asked.length = 0;
});

async function open(address: string, library = LIBRARY, remark = (_: unknown): unknown => null): Promise<void> {
  await openScreen(Screen, {
    at: address,
    answers: {
      compare: ({ ids }) => {
        asked.push(ids);
        return VIEW;
      },
      compare_pairs: ({ request }) => tested(request.ids),
      compare_ranks: () => RANKS,
      other_instructions: ({ ids }) =>
        ids.map((report) => ({
          report,
          run: `${report}/1`,
          pack: 'p@1',
          compared: 91,
          tasks: [
            { level: 'L3', task: 'L3-003' },
            { level: 'L3', task: 'L3-005' },
          ],
        })),
      // The report and the candidates for its baseline, of which the engine refuses the first.
      compare_matrix: ({ request }) => ({
        ...MATRIX,
        reports: request.ids.map((id) => ({ ...MATRIX.reports[0], id }) as (typeof MATRIX.reports)[number]),
        cells: 'xaaaaa',
      }),
      reports_library: () => library,
      report_remark: (asked) => {
        remark(asked);
        return row(asked.id);
      },
    },
  });
}

const text = () => document.body.textContent?.replace(/\s+/g, ' ') ?? '';

it('says how to begin while fewer than two reports are chosen, and asks nothing', async () => {
  await open('#/compare?reports=a');
  expect(text()).toContain('Choose at least one more report.');
  expect(asked).toEqual([]);
});

it('chooses from the library by its filters, in the order of ticking', async () => {
  await open('#/compare?reports=a');
  const rows = () =>
    [...document.querySelectorAll<HTMLElement>('[role="dialog"] [data-row]')].map(({ dataset }) => dataset['row']);
  document.querySelector<HTMLElement>('#choose-reports')?.click();
  await settle();
  expect(rows()).toEqual(['a', 'b', 'c']);
  expect(text()).toContain('1 unreadable report not listed');
  const field = document.querySelector<HTMLInputElement>('[role="dialog"] search input')!;
  field.focus();
  field.value = 'pack:other@2.0.0 ';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.blur();
  await settle();
  expect(rows()).toEqual(['c']);
  document.querySelector<HTMLElement>('[data-row="c"] input')?.click();
  await settle();
  document.querySelector<HTMLElement>('[role="dialog"] .primary')?.click();
  await settle();
  expect(parsePlace(location.hash).query['reports']).toBe('a,c');
});

it('puts the reports of the address side by side and says in what they differ', async () => {
  await open('#/compare?reports=a,b&levels=shown');
  expect(asked).toEqual([['a', 'b']]);
  expect(document.querySelector('[role=note]:not([data-otherwise])')?.textContent).toMatch(
    /Judges[\s\S]*j\/1[\s\S]*A[\s\S]*none[\s\S]*B/,
  );
  const best = [...document.querySelectorAll('td[data-best]')].map((cell) =>
    cell.textContent?.replace(/\s+/g, ' ').trim(),
  );
  expect(best).toEqual(['0.7500 [0.600, 0.850] best +0.2500', '0.7500 [0.600, 0.850] best +0.2500']);
  const first = document.querySelector('[data-metric="score"] td [title*="no interval"]');
  expect(first?.getAttribute('title')).toBe('no interval: every task has the same score');
});

it('says before the numbers that two cannot be compared with each other, and what to do', async () => {
  await open('#/compare?reports=a,b');
  const standing = document.querySelector<HTMLDetailsElement>('[data-standing="b"]');
  expect(standing?.open).toBe(true);
  expect(standing?.textContent?.replace(/\s+/g, ' ')).toMatch(
    /B Comparable to baseline: not comparable.*different protocols: leaderboard, corrected → run one of the two again/,
  );
  const ranked = [...document.querySelectorAll('table th [data-grade]')].map((badge) => badge.textContent?.trim());
  expect(ranked).toEqual(['Comparable to baseline: not comparable']);
});

it('keeps intervals for the pointer and screen readers when the address hides them', async () => {
  await open('#/compare?reports=a,b&intervals=hidden');
  const best = document.querySelector('td[data-best]');
  expect(best?.textContent).not.toContain('[0.600');
  expect(best?.querySelector('b')?.title).toContain('95 % interval 0.600 to 0.850');
  expect(best?.querySelector('.visually-hidden')?.textContent).toContain('10,000 bootstrap');
});

it('a number that is missing is a dash with its reason, for eyes and for screen readers', async () => {
  await open('#/compare?reports=a,b');
  const missing = document.querySelector('td [title="no value: the level was not evaluated"]');
  expect(missing?.textContent).toMatch(/—[\s\S]*the level was not evaluated/);
  expect(text()).toContain('the price table has no price of it');
});

it('keeps a note on a compared report from its card', async () => {
  const kept: unknown[] = [];
  await open('#/compare?reports=a,b', LIBRARY, (asked) => kept.push(asked));
  document.querySelector<HTMLElement>('[data-conclusion="b"] [data-note]')?.click();
  await settle();
  await put('[role="dialog"] textarea', 'slower, no better');
  document.querySelector<HTMLElement>('[role="dialog"] .primary')?.click();
  await settle();
  expect(kept).toEqual([{ id: 'b', tags: ['기준'], note: 'slower, no better' }]);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

it('unfolds the metrics of one level by its name, and of all by the address', async () => {
  const rows = () => [...document.querySelectorAll<HTMLElement>('[data-of]')].map(({ dataset }) => dataset['metric']);
  const press = async (selector: string) => {
    document.querySelector<HTMLElement>(selector)?.click();
    await settle();
  };
  await open('#/compare?reports=a,b');
  expect(rows()).toEqual(['score', 'score', 'flat_report']);
  await press('[data-of="L3"] button');
  expect(rows()).toEqual(['score', 'FSM', 'score', 'flat_report']);
  await press('#all-metrics');
  expect(parsePlace(location.hash).query['levels']).toBe('shown');
  expect(rows()).toEqual(['score', 'FSM', 'score', 'Coverage', 'flat_report']);
  await press('[data-of="L4"] button');
  expect(rows()).toEqual(['score', 'FSM', 'score', 'flat_report']);
});

it('counts regressions, improvements and changes, by level, and shows those that the address names', async () => {
  const labels = (kind: string) =>
    [...document.querySelectorAll(`[${kind}]`)].map((one) => one.textContent?.replace(/\s+/g, ' ').trim());
  await open('#/compare?reports=a,b&metric=FSM&level=L3');
  expect(labels('data-filter')).toEqual(['▼ Regressions 0', '▲ Improvements 1', 'Changed 1', 'All 2']);
  expect(text()).toContain('2 rows');
  for (const [only, rows] of [
    ['improvements', '1 row'],
    ['regressions', '0 rows'],
    ['changed', '1 row'],
    // As the address said it before.
    ['differing', '1 row'],
    ['no such filter', '2 rows'],
  ] as const) {
    await open(`#/compare?reports=a,b&metric=FSM&only=${only}`);
    expect(text(), only).toContain(rows);
  }
  await open('#/compare?reports=a,b&metric=FSM&find=L3-002');
  expect(text()).toContain('1 of 2');
});

it('keeps a filter in the address, and shows a yes or no as one', async () => {
  await open('#/compare?reports=a,b&metric=FSM');
  document.querySelector<HTMLElement>('[data-filter="improvements"]')?.click();
  await settle();
  expect(parsePlace(location.hash).query['only']).toBe('improvements');
  expect(document.querySelector('[data-filter="improvements"]')?.getAttribute('aria-pressed')).toBe('true');
  document.querySelector<HTMLElement>('[data-filter="all"]')?.click();
  await settle();
  expect(parsePlace(location.hash).query['only']).toBeUndefined();
});

it('proposes the last comparable report of the same model as the baseline of one report', async () => {
  await open('#/compare?reports=now', [
    row('now', { model: 'lab/m', date: '20260103' }),
    row('before', { model: 'lab/m', date: '20260102' }),
    row('unlike', { model: 'lab/m', date: '20260101' }),
    row('neighbour', { model: 'lab/n', date: '20260102' }),
  ]);
  const proposed = () => document.querySelector('[data-baseline] a')?.getAttribute('href');
  expect(proposed()).toBe('#/compare?reports=unlike%2Cnow');
  expect(text()).toContain('The last comparable report of the same model.');
});

it('a task’s page has every score and the way to the transcripts that are here', async () => {
  await open('#/compare/L3-001?reports=a,b');
  const link = document.querySelector<HTMLAnchorElement>('td a');
  expect(link?.getAttribute('href')).toBe('#/runs/a%2F20251219_113310/L3-001?report=a');
  expect(text()).toContain('not available');
  expect(text()).toContain('Next: L3-002');
});

it('says once how many tasks ask otherwise than the pack, and leads to each', async () => {
  await open('#/compare?reports=a,b');
  const notes = [...document.querySelectorAll('[data-otherwise]')];
  expect(notes).toHaveLength(1);
  expect(notes[0]?.textContent).toContain('2 of 91 tasks have other instructions than p@1 (L3: 2)');
  const links = [...(notes[0]?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'));
  expect(links).toEqual(['#/compare/L3-003?reports=a%2Cb', '#/compare/L3-005?reports=a%2Cb']);
});
