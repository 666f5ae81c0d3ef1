import { describe, expect, it } from 'vitest';
import type { ReportRow } from '../../ipc/gen';
import { find, openScreen, screensForTests, text } from '../../shared/screenForTests';
import { REPORT_ROW } from '../../shared/reports/row.fixture';
import Screen from './Screen.svelte';
import { linesOf, mainModel, overTime, timeOf } from './overTime';

const KNOWN: ReportRow = {
  ...REPORT_ROW,
  model: 'lab/m',
  pack: 'starter@1.0.0',
  protocol: 'corrected',
  scorer: 'corrected',
  judges: ['j'],
  tasks: 20,
  composite: 0.5,
};
const row = (id: string, date: string, change: Partial<ReportRow> = {}): ReportRow => ({
  ...KNOWN,
  id,
  date,
  ...change,
});
const drawn = (rows: ReportRow[], score: 'composite' | 'success' = 'composite') =>
  linesOf(rows, score).lines.map(({ joined, points }) => [joined, points.map((point) => point.row.id).join()]);

describe('scores over time', () => {
  it('joins reports in the order of their dates', () => {
    expect(drawn([row('b', '20261102'), row('a', '20261101_235959'), row('c', '20261102_000001')])).toEqual([
      [true, 'a,b,c'],
    ]);
  });

  it('joins nothing made under other conditions', () => {
    const rows = [
      row('a', '20261101'),
      row('b', '20261102', { pack: 'starter@1.1.0' }),
      row('c', '20261103', { protocol: 'leaderboard' }),
      row('d', '20261104', { scorer: 'leaderboard' }),
      row('e', '20261105', { judges: ['k'] }),
      row('f', '20261106', { tasks: 10 }),
      row('g', '20261107'),
    ];
    expect(drawn(rows).map(([, ids]) => ids)).toEqual(['a,g', 'b', 'c', 'd', 'e', 'f']);
  });

  it('joins nothing whose conditions are not known', () => {
    const unknown = { pack: null, protocol: null };
    expect(drawn([row('a', '20261101', unknown), row('b', '20261102', unknown)])).toEqual([[false, 'a,b']]);
  });

  it('draws no report without a score or a date, and names it', () => {
    const rows = [row('a', '20261101'), row('b', '20261102', { composite: null }), row('c', 'someday')];
    expect(drawn(rows)).toEqual([[true, 'a']]);
    expect(linesOf(rows, 'composite').missing.map(({ id }) => id)).toEqual(['c', 'b']);
    expect(linesOf(rows, 'success').missing).toHaveLength(3);
  });

  it('reads dates with and without a time', () => {
    expect(timeOf('20261101_010203')).toBe(Date.UTC(2026, 10, 1, 1, 2, 3));
    expect(timeOf('20261101')).toBe(Date.UTC(2026, 10, 1));
    expect(timeOf('')).toBeNull();
  });

  it('begins with the model that has most reports', () => {
    expect(mainModel([])).toBeNull();
    const rows = [row('a', '1', { model: 'x' }), row('b', '2', { model: 'y' }), row('c', '3', { model: 'y' })];
    expect(mainModel(rows)).toBe('y');
  });

  it('draws an interval where the report has one, and a line only where it is joined', () => {
    const range = { interval: { low: 0.4, high: 0.6, method: 'bootstrap' as const }, reason: null };
    const { lines } = linesOf(
      [row('a', '20261101', { composite_range: range }), row('b', '20261101', { pack: null })],
      'composite',
    );
    const colours = { text: '', muted: '', line: '', surface: '', series: ['red', 'blue'], font: '' };
    const { series } = overTime(lines, [0, 1], { line: () => 'l', point: ({ row }) => row.id }, colours);
    expect((series as { type: string; data: unknown[] }[]).map(({ type, data }) => [type, data.length])).toEqual([
      ['line', 1],
      ['custom', 1],
      ['scatter', 1],
      ['custom', 0],
    ]);
  });
});

describe('the library over time', () => {
  screensForTests();
  const rows = [
    row('first', '20261101', { success: 0.25 }),
    row('second', '20261102', { composite: null, composite_reason: 'L1 ArgAcc: no judge was asked', success: 0.75 }),
    row('other', '20261103', { model: 'lab/other' }),
  ];
  const open = (at: string) => openScreen(Screen as never, { at, answers: { reports_library: () => rows } });

  it('shows the numbers of one model, and says why one is not drawn', async () => {
    await open('#/reports?view=time');
    expect(find('[data-view="time"]')?.getAttribute('aria-pressed')).toBe('true');
    expect(find<HTMLSelectElement>('#time-model')?.value).toBe('lab/m');
    const cells = (score: string) =>
      [...document.querySelectorAll(`[data-time="${score}"] tbody tr`)].map((line) => line.textContent);
    expect(cells('success').join()).toMatch(/first2026-11-010.2500.*second2026-11-020.7500/);
    expect(cells('composite')).toHaveLength(1);
    expect(find('[data-time="composite"] [data-missing]')?.textContent).toMatch(
      /second.*L1 ArgAcc: no judge was asked/s,
    );
    expect(find('[data-time="success"] [data-missing]')).toBeNull();
  });

  it('keeps the model in the address, as a filter', async () => {
    await open('#/reports?view=time&model=lab%2Fother');
    expect(find<HTMLSelectElement>('#time-model')?.value).toBe('lab/other');
    expect(find('[data-time="composite"] tbody')?.textContent).toContain('other');
  });

  it('says that no report fits', async () => {
    await open('#/reports?view=time&from=2027-01-01');
    expect(text()).toContain('No report fits the filters.');
  });
});
