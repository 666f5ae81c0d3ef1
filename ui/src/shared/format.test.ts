import { describe, expect, it } from 'vitest';
import { count, duration, runDate, score } from './format';

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
