import { expect, test } from 'vitest';
import type { AtlasSorted, CallPlace, Level, TranscriptCall } from '../../ipc/gen';
import { argumentsBeside, needsNoCall } from './beside';
import { call } from './example';

const beside: TranscriptCall['beside'] = [
  { name: 'x', golden: '{x}', given: 127, state: 'wrong' },
  { name: 'query', golden: '{places[0].name} 후기', given: '강남역', state: 'wrong' },
  { name: 'note', golden: '{ }', given: 'a', state: 'wrong' },
  { name: 'radius', golden: 500, given: 900, state: 'wrong' },
  { name: 'size', golden: 5, given: null, state: 'missing' },
  { name: 'sort', golden: null, given: 'd', state: 'default' },
  { name: 'page', golden: 1, given: 1, state: 'same' },
];

test.each<[Level, CallPlace, string[]]>([
  ['L1', 'expected', ['filled', 'filled', 'wrong!', 'wrong!', 'missing!', 'default?', 'same']],
  ['L3', 'expected', ['filled', 'filled', 'wrong', 'wrong', 'missing', 'default', 'same']],
  ['L3', 'out_of_order', ['filled', 'filled', 'wrong', 'wrong', 'missing', 'default', 'same']],
  ['L3', 'extra', []],
  ['L1', 'repeat', []],
])('arguments on %s of a call that is %s', (level, place, states) => {
  const marks = { loss: '!', doubt: '?', none: '' };
  const rows = argumentsBeside(call('Tool', {}, { place, beside }), level);
  expect(rows.map(({ state, weight }) => state + marks[weight])).toEqual(states);
});

test('a golden call that was not made is no fault where none was needed', () => {
  const sorted = (unreachable: 'no_call_needed' | 'injected_failure' | null) =>
    ({ losses: [{ metric: 'EPR_CVR', unreachable }] }) as unknown as AtlasSorted;
  expect([null, sorted(null), sorted('injected_failure'), sorted('no_call_needed')].map(needsNoCall)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
