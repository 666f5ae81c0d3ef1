import { expect, it } from 'vitest';
import type { MetricId } from '../../ipc/gen';
import { task } from './example';
import { filtered, filterOf, firstToRead, neighbour, withFilter } from './walk';

const TASKS = [
  task('L1-001'),
  task('L1-002', { status: 'failed' }),
  task('L5-001', { status: 'failed' }),
  task('L5-002'),
];
const ids = (query: Record<string, string>) => filtered(TASKS, filterOf(query, TASKS)).map(({ id }) => id);

it('a filter lives in the address', () => {
  expect(ids({})).toHaveLength(4);
  expect(ids({ level: 'L5' })).toEqual(['L5-001', 'L5-002']);
  const groups = [task('a', { level: 'Dialog.call' }), task('b', { level: 'Dialog.slot' })];
  expect(filterOf({ level: 'Dialog.call' }, groups).level).toBe('Dialog.call');
  expect(ids({ level: 'L9', status: 'nonsense' })).toHaveLength(4);
  expect(withFilter({ report: 'r', level: 'L1' }, { level: null, status: 'failed' })).toEqual({
    report: 'r',
    status: 'failed',
  });
});

it('next and previous follow the filter, also from a task that it leaves out', () => {
  const failed = filterOf({ status: 'failed' }, TASKS);
  expect(neighbour(TASKS, failed, 'L1-001', 1)?.id).toBe('L1-002');
  expect(neighbour(TASKS, failed, 'L1-002', 1)?.id).toBe('L5-001');
  expect(neighbour(TASKS, failed, 'L5-001', 1)).toBeNull();
  expect(neighbour(TASKS, failed, 'L5-002', -1)?.id).toBe('L5-001');
});

it('the first to read is the first that lost points by the metric, else the first of all', () => {
  const scored = (id: string, metric: MetricId, value: number | null) => ({
    level: 'L1' as const,
    task: id,
    answered: true,
    scores: [{ metric, value, why: null }],
  });
  const figures = [scored('L5-001', 'SR', 0), scored('L1-002', 'SR', 0.5), scored('L1-001', 'SR', 1)];
  expect(firstToRead(TASKS, figures, 'SR')?.id).toBe('L1-002');
  expect(firstToRead(TASKS, figures, 'ToolAcc')?.id).toBe('L1-001');
  expect(firstToRead(TASKS, [scored('L1-002', 'SR', null)], 'SR')?.id).toBe('L1-001');
  expect(firstToRead([], figures, 'SR')).toBeUndefined();
});
