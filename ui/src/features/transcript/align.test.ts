import { describe, expect, it } from 'vitest';
import type { TranscriptCall } from '../../ipc/gen';
import { align } from './align';
import { attempt, call, transcript } from './example';

const states = (left: [TranscriptCall[], string | null], right: [TranscriptCall[], string | null]) =>
  align(transcript(attempt(...left)), transcript(attempt(...right))).map((pair) => pair.state);

const A = call('A', { q: 1, n: 2 });
const B = call('B', {});

describe('two transcripts', () => {
  it('that went the same way agree in every row, whatever the order of arguments', () => {
    expect(states([[A, B], '끝'], [[call('A', { n: 2, q: 1 }), B], '끝'])).toEqual(['same', 'same', 'same', 'same']);
  });

  it('say what differs: arguments, results, text', () => {
    const other = call('A', { q: 2, n: 2 });
    const later = call('B', {}, { result: { ok: false } });
    expect(states([[A, B], '하나'], [[other, later], '둘'])).toEqual(['same', 'arguments', 'results', 'text']);
  });

  it('are aligned around a step that only one of them made', () => {
    expect(states([[A, B], '끝'], [[B], '끝'])).toEqual(['same', 'only_left', 'same', 'same']);
    expect(states([[B], '끝'], [[B, A, A], '끝'])).toEqual(['same', 'same', 'only_right', 'only_right', 'same']);
    expect(states([[A], null], [[B], '끝'])).toEqual(['same', 'only_left', 'only_right', 'only_right']);
  });

  it('keep every turn of both, once and in order', () => {
    const [left, right] = [transcript(attempt([A, B, A], '끝')), transcript(attempt([B, B, A, A], '끝'))];
    const pairs = align(left, right);
    const places = (side: 'left' | 'right') => pairs.flatMap((pair) => pair[side] ?? []);
    expect(places('left')).toEqual([0, 1, 2, 3, 4]);
    expect(places('right')).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('of which one never ended show the other alone', () => {
    const pairs = align(transcript(null), transcript(attempt([A], '끝')));
    expect(pairs.map(({ state }) => state)).toEqual(['only_right', 'only_right', 'only_right']);
  });
});
