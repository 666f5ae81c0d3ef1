import { expect, it } from 'vitest';
import type { AtlasAttempt, AtlasCauseId, AtlasView, Level, MetricId } from '../../ipc/gen';
import { type Filter, mapOf, ownerSums, pointsOf } from './tally';

/** An attempt that lost these points, with causes and what each explains. */
function attempt(
  level: Level,
  task: string,
  lost: Partial<Record<MetricId, number>>,
  causes: readonly [AtlasCauseId, MetricId[]][],
): AtlasAttempt {
  const losses = Object.entries(lost).map(([metric, points]) => ({
    metric: metric as MetricId,
    value: 1 - points,
    best: 1,
    lost: points,
    unreachable: null,
  }));
  const place = { call: null, step: null, tool: null, argument: null, expected: null, found: null, quote: null };
  return {
    source: 0,
    level,
    task,
    sorted: {
      state: 'lossy',
      losses,
      unscored: [],
      findings: causes.map(([cause, metrics]) => ({ ...place, cause, metrics })),
      lost: losses.reduce((sum, { lost }) => sum + lost, 0),
      explained: 0,
    },
  };
}

const VIEW: AtlasView = {
  items: [],
  sources: [
    {
      id: 'a',
      is_report: true,
      model: 'm',
      run: null,
      scorer: 'leaderboard',
      judged: true,
      skipped: 0,
      why_not: null,
    },
  ],
  causes: [
    { id: 'no_call', owner: 'model', needs: 'log' },
    { id: 'missing_call', owner: 'model', needs: 'log' },
    { id: 'judge_split', owner: 'judge', needs: 'verdicts' },
  ],
  attempts: [
    attempt('L1', 'one', { CallEM: 1, SR: 1, EPR_CVR: 0.5 }, [
      ['no_call', ['CallEM']],
      ['judge_split', ['SR', 'CallEM']],
    ]),
    attempt('L2', 'two', { SR: 1 }, [['missing_call', ['SR']]]),
    attempt('L2', 'three', { SR: 0.25 }, [['missing_call', ['SR']]]),
    // It ended for a technical reason, and nothing was scored.
    attempt('L2', 'four', {}, []),
  ],
};
const FILTER: Filter = { level: null, source: null, owner: null, cause: null, counting: 'first' };
const rows = (filter: Partial<Filter>) =>
  mapOf(VIEW, 'level', { ...FILTER, ...filter }).rows.map(({ cause, sum }) => [cause, sum]);

it('points of a metric are of the first cause that explains it, and of no cause otherwise', () => {
  expect([...pointsOf(VIEW.attempts[0]!)]).toEqual([
    ['no_call', 1],
    ['judge_split', 1],
    ['unsorted', 0.5],
  ]);
});

it('the largest cause comes first, and what has none at the end', () => {
  expect(rows({})).toEqual([
    ['missing_call', 2],
    ['no_call', 1],
    ['unsorted', 1],
  ]);
  expect(rows({ counting: 'any' })).toEqual([
    ['missing_call', 2],
    ['no_call', 1],
    ['judge_split', 1],
    ['unsorted', 1],
  ]);
  expect(rows({ counting: 'points' })).toEqual([
    ['missing_call', 1.25],
    ['no_call', 1],
    ['judge_split', 1],
    ['unsorted', 0.5],
  ]);
});

it('the parts of lost points are the whole, in each column too', () => {
  const map = mapOf(VIEW, 'level', { ...FILTER, counting: 'points' });
  expect([map.whole, map.columns.map(({ whole }) => whole)]).toEqual([3.75, [2.5, 1.25]]);
  expect(mapOf(VIEW, 'level', { ...FILTER, counting: 'points', owner: 'judge' }).whole).toBe(1);
});

it('causes are summed by whose they are; an attempt with two of one owner is one attempt', () => {
  expect(ownerSums(VIEW, { ...FILTER, counting: 'any' })).toEqual([
    { owner: 'model', sum: 3 },
    { owner: 'judge', sum: 1 },
    { owner: null, sum: 1 },
  ]);
  expect(ownerSums(VIEW, { ...FILTER, counting: 'points' }).map(({ owner, sum }) => [owner, sum])).toEqual([
    ['model', 2.25],
    ['judge', 1],
    [null, 0.5],
  ]);
});
