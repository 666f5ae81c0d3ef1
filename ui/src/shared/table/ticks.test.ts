import { expect, it } from 'vitest';
import { allToggled, stretched, toggled } from './ticks';

const ORDER = ['a', 'b', 'c', 'd'];

it('a range keeps the order of the gesture and what was ticked before', () => {
  expect(stretched(['d'], ORDER, 'c', 'a')).toEqual(['d', 'c', 'b', 'a']);
  expect(stretched(['a'], ORDER, 'a', 'c')).toEqual(['a', 'b', 'c']);
});

it('a range takes the ticks away where its end had one', () => {
  expect(stretched(['a', 'c', 'd', 'x'], ORDER, 'a', 'c')).toEqual(['d', 'x']);
});

it('without a shown beginning there is no range', () => {
  expect(stretched([], ORDER, null, 'c')).toEqual(['c']);
  expect(stretched(['c'], ORDER, 'hidden', 'c')).toEqual([]);
});

it('one and all of the shown rows are ticked, and hidden ones stay', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(allToggled(['x', 'b'], ORDER)).toEqual(['x', 'b', 'a', 'c', 'd']);
  expect(allToggled(['x', ...ORDER], ORDER)).toEqual(['x']);
});
