import table from '../../../src-tauri/crates/koab-core/src/shown/cases.json?raw';
import { describe, expect, it } from 'vitest';
import {
  amount,
  coefficient,
  count,
  difference,
  dollarColumn,
  dollars,
  duration,
  effect,
  fixed,
  percent,
  pValue,
  runDate,
  score,
  signed,
} from './format';

describe('a duration', () => {
  it.each([
    [null, '—'],
    [0, '0.0 s'],
    [8_240, '8.2 s'],
    [59_949, '59.9 s'],
    [59_960, '1:00'],
    [75_400, '1:15'],
    [3_725_000, '1:02:05'],
  ])('of %s ms is %s', (ms, text) => expect(duration(ms)).toBe(text));
});

describe('the figures of a report', () => {
  // The engine's tests read the same file.
  const cases = JSON.parse(table) as [string, string, string][];
  const written: Record<string, (value: number) => string> = {
    score,
    difference,
    end: (value) => fixed(value, 3),
    'end of a difference': (value) => signed(value, 3),
    p: pValue,
    percent: (value) => percent(value, 1),
    'whole percent': (value) => percent(value, 0),
    coefficient,
    effect,
  };
  it('has cases', () => expect(cases.length).toBeGreaterThanOrEqual(40));
  it.each(cases)('%s of %s is %s', (what, value, text) => expect(written[what]?.(Number(value))).toBe(text));
  it('are a dash where there is none', () =>
    expect([score(null), difference(null), pValue(null)]).toEqual(['—', '—', '—']));
});

describe('dollars of one column', () => {
  it.each([
    [
      [2.0403, 0.0843, 0.2381],
      ['$2.040', '$0.084', '$0.238'],
    ],
    [
      [2.0403, null, 0],
      ['$2.04', '—', '$0.00'],
    ],
    [
      [0.01, 12],
      ['$0.010', '$12.000'],
    ],
    [
      [3.5, 0.00002],
      ['$3.5000', '$0.00002'],
    ],
    [[], []],
  ])('of %j have the same decimals', (column, texts) => expect(column.map(dollarColumn(column, 'en'))).toEqual(texts));
});

it('counts are grouped', () => expect(count(12_345, 'ko')).toBe('12,345'));

it('a run date is readable, and anything else stays as it is', () => {
  expect(runDate('20261120_090503')).toBe('2026-11-20 09:05:03');
  expect(runDate('20261120')).toBe('2026-11-20');
  expect(runDate('yesterday')).toBe('yesterday');
});

it('an estimate is no more exact than it is', () =>
  expect([12_345, 310, 2.447, 0.4, 0].map((value) => amount(value, 'en'))).toEqual([
    '12,300',
    '310',
    '2.4',
    '0.4',
    '0',
  ]));

it('small sums of money are not nothing', () =>
  expect([1234.5, 0.98, 0.00123, 0].map((value) => dollars(value, 'ko'))).toEqual([
    '$1,234.50',
    '$0.98',
    '$0.0012',
    '$0.00',
  ]));
