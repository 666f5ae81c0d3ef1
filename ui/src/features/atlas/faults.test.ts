import { expect, it } from 'vitest';
import type { AtlasItem } from '../../ipc/gen';
import { faultsOf } from './faults';

const item = (task: string, level: string, fault: string): AtlasItem => ({
  source: 0,
  level,
  task,
  fault,
  metric: 'ASTAcc',
  more: '',
});

it('counts items by what is wrong with them, the most first, and their groups likewise', () => {
  const faults = faultsOf([
    item('a', 'java', 'x'),
    item('b', 'java', 'y'),
    item('c', 'simple', 'y'),
    item('d', 'java', 'y'),
  ]);
  expect(faults.map(({ fault, count, groups }) => [fault, count, groups])).toEqual([
    [
      'y',
      3,
      [
        ['java', 2],
        ['simple', 1],
      ],
    ],
    ['x', 1, [['java', 1]]],
  ]);
});
