// The list of runs: figures of the report that is meant, which leads to it, made here or elsewhere.
import { expect, it, test } from 'vitest';
import type { EndedRun, RunSummary } from '../../../ipc/gen';
import { openScreen, put, screensForTests, settle } from '../../../shared/screenForTests';
import { route } from '../../../shared/route.svelte';
import { REPORT_ROW } from '../../../shared/reports/row.fixture';
import { failedResume } from './history';
import History from './History.svelte';

screensForTests();

const RUN: RunSummary = {
  id: 'm/20251219_113310',
  model: 'x/m',
  date: '20251219_113310',
  pack: null,
  protocol: null,
  levels: [],
  complete: true,
  held_by: null,
  resume: null,
  usd: null,
  tags: [],
  note: '',
  folder: '/w',
};

it('an imported run has the figures of its imported report, also when it was scored again without judges', async () => {
  await openScreen(History, {
    props: { runs: [RUN], onResume: () => undefined },
    answers: {
      reports_library: () => [
        { ...REPORT_ROW, id: 'm_2025.rescored.unjudged', run: RUN.id, composite: null, success: null },
        { ...REPORT_ROW, id: 'm_20251219', composite: 0.6341, success: 0.8132 },
        { ...REPORT_ROW, id: 'n_20251219', composite: 0.1, success: 0.1 },
      ],
      imported_reports: () => [{ run: RUN.id, report: 'm_20251219' }],
    },
  });
  await settle();
  const figures = [...document.querySelectorAll<HTMLAnchorElement>('[data-figure]')];
  expect(figures.map((one) => [one.dataset['figure'], one.textContent?.trim(), one.getAttribute('href')])).toEqual([
    ['success', '0.8132', '#/reports/m_20251219'],
    ['composite', '0.6341', '#/reports/m_20251219'],
  ]);
});

it('runs are found by filters of the address, which the form of a new run leaves alone', async () => {
  const runs = [RUN, { ...RUN, id: 'n/1', model: 'lab/n', date: '20261120_120000', tags: ['기준'] }];
  const props = { runs, onResume: () => undefined };
  const answers = { reports_library: () => [], imported_reports: () => [] };
  const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset['row']);
  await openScreen(History, { at: '#/runs', props, answers });
  expect(rows()).toEqual(['n/1', RUN.id]);
  await put('search input', '상태:imported 태그:기준 ');
  expect(route.place.query).toEqual({ state: 'imported', tag: '기준' });
  expect(rows()).toEqual(['n/1']);
  route.go('#/runs?model=lab%2Fother', { replace: true });
  await settle();
  expect(rows()).toEqual(['n/1']);
  await openScreen(History, { at: '#/runs?of=x%2Fm&sort=date', props, answers });
  expect(rows()).toEqual([RUN.id]);
});

const begun = (run: string): EndedRun => ({
  run,
  id: 'm/1',
  model: 'x/m',
  outcome: 'cancelled',
  error: null,
  reports: [],
  spans: null,
});
const unbegun = (run: string): EndedRun => ({
  ...begun(run),
  id: null,
  model: '',
  outcome: null,
  error: { code: 'model_unreachable', message: 'no answer' },
});

test.each([
  ['nothing was tried', [], 'm/1', undefined],
  ['the only try failed', [unbegun('a')], 'm/1', 'a'],
  ['the last try failed', [begun('x'), unbegun('a'), unbegun('b')], 'm/1', 'b'],
  ['a later try began', [unbegun('a'), begun('b')], 'm/1', undefined],
  ['another run failed', [unbegun('other')], 'm/1', undefined],
])('of tries to resume a run, when %s', (_, ended, run, failed) => {
  const asked = new Map([
    ['a', 'm/1'],
    ['b', 'm/1'],
    ['other', 'm/2'],
  ]);
  expect(failedResume(ended, asked, run)?.run).toBe(failed);
});
