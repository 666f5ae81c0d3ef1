import { expect, test } from 'vitest';
import { isOneSided } from './words';

test.each([
  [0, 0, 0, true],
  [1e-17, 0, -1e-17, true],
  [0, -0.1, 0.2, false],
  [0.4, 0, 0.6, false],
  [0, null, null, false],
  [null, null, null, false],
])('κ %d of [%d, %d] is of a judge with one answer: %s', (value, low, high, is) => {
  expect(isOneSided({ value, low, high, reason: null, no_interval: null })).toBe(is);
});
