// The list of runs: figures of the report that is meant, which leads to it, made here or elsewhere.
import { expect, it } from 'vitest';
import type { RunSummary } from '../../ipc/gen';
import { openScreen, screensForTests, settle } from '../../shared/screenForTests';
import { REPORT_ROW } from '../../shared/reports/row.fixture';
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
