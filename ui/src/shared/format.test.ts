import { describe, expect, it } from 'vitest';
import { amount, count, dollars, duration, runDate, score } from './format';

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

describe('a score', () => {
  it.each([
    [null, '—'],
    [0, '0.0000'],
    [2 / 3, '0.6667'],
  ])('of %s is %s', (value, text) => expect(score(value, 'ko')).toBe(text));
});

it('counts are grouped', () => expect(count(12_345, 'ko')).toBe('12,345'));

it('a run date is readable, and anything else stays as it is', () => {
  expect(runDate('20261120_090503')).toBe('2026-11-20 09:05:03');
  expect(runDate('20261120')).toBe('2026-11-20');
  expect(runDate('yesterday')).toBe('yesterday');
});

it('an estimate is no more exact than it is', () =>
  expect([12_345, 310, 2.447, 0.4, 0].map((value) => amount(value, 'en'))).toEqual(['12,300', '310', '2.4', '0.4', '0']));

it('small sums of money are not nothing', () =>
  expect([1234.5, 0.98, 0.00123, 0].map((value) => dollars(value, 'ko'))).toEqual(['$1,234.50', '$0.98', '$0.0012', '$0.00']));
