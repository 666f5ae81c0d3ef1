import { expect, it } from 'vitest';
import type { ModelSummary, PackSummary } from '../../../ipc/gen';
import { wordsIn } from '../../../locales';
import { halfWidthOf, newDraft, problemsOf, requestsOf } from './draft';
import { runLabel } from './label';

const MODEL = { id: 'baseline/golden', kind: 'baseline', needs_base_url: false } as ModelSummary;
const PACK = { name: 'p', active: true, levels: [{ level: 'L1', tasks: 2 }], kind: null } as PackSummary;
const draft = () => ({ ...newDraft([PACK], [MODEL]), scope: 'adaptive' as const });

it('an adaptive run names no task, tries each once and has one scorer', () => {
  const asked = { ...draft(), repetitions: 5, tasks: ['L1-001'], bothScorers: true, judges: 'a/b' };
  const [request] = requestsOf(asked, [MODEL], () => 'id');
  expect(request).toMatchObject({ levels: [], repetitions: 1, score: { scorers: ['leaderboard'], judges: ['a/b'] } });
  expect(request).not.toHaveProperty('tasks');
  expect(halfWidthOf(asked)).toBeCloseTo(0.03);
  expect(halfWidthOf({ ...asked, scope: 'levels' })).toBeNull();
  expect(runLabel(wordsIn('ko').runs, asked, false)).toBe('적응형 실행 시작');
});

it('it is scored, whatever is chosen for other scopes', () => {
  const unscored = { ...draft(), score: false, judges: 'a/b' };
  expect(requestsOf(unscored, [MODEL], () => 'id')[0]?.score?.judges).toEqual(['a/b']);
  expect(requestsOf({ ...unscored, scope: 'levels' }, [MODEL], () => 'id')[0]).not.toHaveProperty('score');
  expect(problemsOf({ ...unscored, judges: 'b' }, [MODEL])).toEqual(['judges']);
  expect(problemsOf({ ...unscored, judges: 'b', scope: 'levels' }, [MODEL])).toEqual([]);
});

it('it has a width, and one model', () => {
  const problems = (more: object) => problemsOf({ ...draft(), ...more }, [MODEL]);
  expect(problems({ levels: [], repetitions: null })).toEqual([]);
  for (const width of [null, 0, -1, 50]) expect(problems({ width })).toEqual(['width']);
  const [row] = draft().models;
  expect(problems({ models: [row, row] })).toContain('oneModel');
});
