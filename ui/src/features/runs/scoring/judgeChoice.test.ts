import { describe, expect, it } from 'vitest';
import type { MetricId } from '../../../ipc/gen';
import { MODELS, PACKS } from '../../../platform/fakeData';
import { newDraft, nextRow, soundRows } from '../form/draft';
import { draftOfRun, judgeProblems, judgesAsked } from './judgeChoice';
import { marksOf } from '../state/marks';

describe('who judges a run', () => {
  it('is asked for as the run is known to have them', () => {
    const known = {
      judges: ['openai_compat/j'],
      judge_base_url: 'http://127.0.0.1:9/v1',
      judge_local: null,
      from: 'run',
    } as const;
    const draft = draftOfRun({ ...known, judges: [...known.judges] });
    expect(judgeProblems(draft, MODELS)).toEqual([]);
    expect(judgesAsked(draft, MODELS)).toEqual({ judges: known.judges, judge_base_url: known.judge_base_url });
    expect(judgeProblems({ ...draft, judges: 'nobody' }, MODELS)).toEqual(['judges']);
  });
});

describe('a model more', () => {
  it('is one that is not listed yet', () => {
    const draft = newDraft(PACKS, MODELS);
    expect(draft.models.map(({ model }) => model)).toEqual(['baseline/golden']);
    const next = nextRow(draft.models, MODELS)!;
    expect(next.model).not.toBe('baseline/golden');
    expect(MODELS.find(({ id }) => id === next.model)?.kind).toBe('baseline');
  });

  it('at a server stays with the server, and until it has a name the others are what there is to estimate', () => {
    const draft = newDraft(PACKS, MODELS);
    const server = MODELS.find(({ id }) => id.endsWith('/'))!;
    const first = { ...draft.models[0]!, model: server.id, name: 'm', baseUrl: 'http://127.0.0.1:9/v1' };
    const next = nextRow([first], MODELS)!;
    expect(next).toMatchObject({ model: server.id, name: '', baseUrl: first.baseUrl });
    expect(soundRows({ ...draft, models: [first, next] }, MODELS)).toEqual([first]);
  });

  it('that stands there twice is estimated once', () => {
    const draft = newDraft(PACKS, MODELS);
    const row = draft.models[0]!;
    expect(soundRows({ ...draft, models: [row, { ...row }] }, MODELS)).toEqual([row]);
  });
});

describe('the mark of a task', () => {
  const task = (id: string, scores: [MetricId, number | null][]) => ({
    level: 'L1' as const,
    task: id,
    answered: true,
    scores: scores.map(([metric, value]) => ({ metric, value, why: value === null ? 'no judge was asked' : null })),
  });

  it('says right or wrong only where that was judged', () => {
    const marks = marksOf({
      tasks: [
        task('a', [
          ['SR', 1],
          ['ToolAcc', 0.5],
        ]),
        task('b', [['SR', 0]]),
        task('c', [
          ['SR', null],
          ['ToolAcc', 1],
        ]),
      ],
    });
    expect([...marks.values()].map(({ right }) => right)).toEqual([true, false, null]);
    expect(marks.get('a')?.scores).toHaveLength(2);
    expect(marks.get('c')?.scores).toEqual([{ metric: 'ToolAcc', value: 1 }]);
  });
});
