// How differences, ratios and scales of a comparison are written, and which figure and baseline are taken.
import { expect, it } from 'vitest';
import type { PairConclusion, PairTest, PairView } from '../../ipc/gen';
import { REPORT_ROW } from '../../shared/reports/row.fixture';
import { candidates, comparable } from './baseline';
import { more, points, times } from './format';
import { leadOf } from './lead';
import { scaleOf } from './scale';
import { CONCLUSIONS, MATRIX, PAIR } from './tests.fixture';

it('writes points with the digits of three decimals', () => {
  for (const [value, said] of [
    [0.0074, '+0.7'],
    [-0.0396, '−4.0'],
    [0.056, '+5.6'],
    [0, '0.0'],
    [-0.0004, '0.0'],
    [0.0995, '+10.0'],
    [-1, '−100.0'],
    [0.20625, '+20.6'],
  ] as const)
    expect(points(value), String(value)).toBe(said);
});

it('writes how many times as much, and how much more', () => {
  for (const [ratio, factor, share] of [
    [24.2, '24', '+2320 %'],
    [9.96, '10', '+896 %'],
    [1.8904, '1.9', '+89 %'],
    [1, '1.0', '0 %'],
    [0.0413, '0.04', '−96 %'],
  ] as const)
    expect([times(ratio), more(ratio)], String(ratio)).toEqual([factor, share]);
});

it('has a scale with 0 on it, round ticks, and room for every end', () => {
  const scale = scaleOf([-0.04, 0.056, 0.007]);
  expect(scale.ticks.map(scale.said)).toEqual(['−4', '−2', '0', '+2', '+4', '+6']);
  for (const one of [-0.04, 0.056]) expect(scale.at(one)).toSatisfy((at: number) => at >= 3 && at <= 97);
  expect(scaleOf([]).ticks.map(scaleOf([]).said)).toEqual(['−1', '0', '+1']);
  expect(scaleOf([-1, 1]).ticks.length).toBeLessThan(10);
});

it('takes the figure that the engine’s sentence begins with', () => {
  const [base] = PAIR.pairs[0]?.tests?.families[0]?.tests ?? [];
  const test = (change: Partial<PairTest>) => ({ ...base, ...change }) as PairTest;
  const view = (family: string, tests: PairTest[]) =>
    ({ pairs: [{ ...PAIR.pairs[0], tests: { families: [{ family, tests }] } }] }) as unknown as PairView;
  const of = (family: string | null) =>
    ({ ...CONCLUSIONS[0], conclusion: { verdict: 'second', family, sentence: '' } }) as PairConclusion;
  const untested = test({ metric: null, variant: 'flat', p: null });
  const composite = test({ metric: null, variant: 'flat_report' });
  expect(leadOf(of('composites'), view('composites', [untested, composite]))?.variant).toBe('flat_report');
  const [few, many, same] = [10, 20, 20].map((tasks, at) => test({ metric: 'ToolAcc', level: `L${at}`, tasks }));
  if (!few || !many || !same) throw new Error('the fixture has no test');
  expect(leadOf(of('metrics'), view('metrics', [few, many, same]))?.level).toBe('L1');
  expect(leadOf(of('metrics'), view('metrics', [many, test({ metric: 'SR', tasks: 5 })]))?.metric).toBe('SR');
  expect(leadOf(of(null), view('metrics', [many]))).toBeNull();
});

it('proposes the last report before, of the model before the connection, and none that the engine refuses', () => {
  const row = (id: string, model: string, date: string, change = {}) => ({ ...REPORT_ROW, id, model, date, ...change });
  const own = row('own', 'lab/m', '20260105', { run: 'm/1' });
  const rows = [
    own,
    row('later', 'lab/m', '20260109'),
    row('older', 'lab/m', '20260101'),
    row('last', 'lab/m', '20260104'),
    row('neighbour', 'lab/n', '20260105'),
    row('stranger', 'other/m', '20260105'),
    row('elsewhere', 'lab/m', '20260105', { address: 'http://b' }),
    row('rejudged', 'lab/m', '20260105', { run: 'm/1' }),
    row('corrected', 'lab/m', '20260104', { scorer: 'corrected' }),
    row('broken', 'lab/m', '20260104', { problem: 'is not JSON' }),
  ];
  const wanted = candidates(rows, own);
  expect(wanted.map(({ id }) => id)).toEqual(['last', 'older', 'later', 'neighbour']);
  const matrix = (cells: string, ...ids: string[]) => ({
    ...MATRIX,
    cells,
    reports: ids.map((id) => ({ ...MATRIX.reports[0], id }) as (typeof MATRIX.reports)[number]),
  });
  // Pairs: own and last, own and older, last and older.
  expect(comparable(wanted, 'own', matrix('xdd', 'own', 'last', 'older'))?.id).toBe('older');
  expect(comparable(wanted, 'own', matrix('Ddd', 'own', 'last', 'older'))?.id).toBe('last');
  expect(comparable(wanted, 'own', matrix('xnd', 'own', 'last', 'older'))).toBeNull();
  expect(comparable(wanted, 'own', matrix('d', 'last', 'older'))).toBeNull();
});
