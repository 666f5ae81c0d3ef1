// What the page of a run and the library say of reports beside the one that is shown.
import { expect, it } from 'vitest';
import { openScreen, screensForTests, settle } from '../../shared/screenForTests';
import { REPORT_ROW } from '../../shared/reports/row.fixture';
import Library from './Library.svelte';
import OtherReports from './OtherReports.svelte';

screensForTests();

it('a run that was scored again without judges leads back to its judged report', async () => {
  await openScreen(OtherReports, {
    props: { run: 'm/1', shown: 'm_1.rescored.unjudged' },
    answers: {
      reports_library: () => [
        { ...REPORT_ROW, id: 'm_1.rescored.unjudged', run: 'm/1' },
        { ...REPORT_ROW, id: 'm_1', judges: ['j/a'] },
        { ...REPORT_ROW, id: 'n_1', run: 'n/1' },
      ],
      imported_reports: () => [{ run: 'm/1', report: 'm_1' }],
    },
  });
  await settle();
  const others = document.querySelector('[data-other-reports]');
  expect(others?.textContent?.replace(/\s+/g, ' ').trim()).toBe('Other reports of this run: m_1 (Leaderboard · j/a)');
  expect(others?.querySelector('a')?.getAttribute('href')).toBe('#/reports/m_1');
});

it('the way to published reports is told only where there are none', async () => {
  const open = (origin: 'imported' | 'made') =>
    openScreen(Library, { at: '#/reports', answers: { reports_library: () => [{ ...REPORT_ROW, origin }] } });
  const shown = () => ['[data-row="a"]', '[data-no-references]'].filter((part) => document.querySelector(part));
  await open('made');
  await settle();
  expect(shown()).toEqual(['[data-row="a"]', '[data-no-references]']);
  await open('imported');
  await settle();
  expect(shown()).toEqual(['[data-row="a"]']);
});

it('what limits a comparison is said on focus too, and the name of a row stays where the rest is scrolled', async () => {
  await openScreen(Library, {
    at: '#/reports',
    answers: {
      reports_library: () => [{ ...REPORT_ROW, comparability: 'limited', comparability_reason: 'made elsewhere' }],
    },
  });
  await settle();
  const badge = document.querySelector<HTMLElement>('button[data-grade="limited"]');
  badge?.focus();
  await settle();
  expect(document.querySelector('[role="tooltip"]')?.textContent).toContain('partly — made elsewhere');
  expect(document.querySelector('[data-row="a"] [data-column="model"]')?.classList).toContain('pinned');
});
