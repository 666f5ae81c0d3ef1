import { expect, it } from 'vitest';
import type { RunChange, RunEventKind } from '../../../ipc/gen';
import { reduceAll } from '../state/reduce';
import { IDLE, type RunState } from '../state/state';
import { changesOf, failedAttempts, lineOf, NO_CHANGE, waitingTasks } from './changes';

const runAfter = (...kinds: RunEventKind[]): RunState =>
  reduceAll(IDLE, kinds.map((kind, seq) => ({ run: 'r', seq, at_ms: 10, elapsed_ms: 0, kind })) as never);

const started: RunEventKind = {
  ...{ type: 'run_started', model: 'm', pack: 'p@1', protocol: 'corrected', repetitions: 2, concurrency: 2 },
  ...{ levels: [{ level: 'L1', tasks: ['a', 'b', 'c'] }], attempts: 6 },
  ...{ price: null, max_cost: null, max_total_tokens: null, problems: [], resumed: false },
} as RunEventKind;

const soFar = (task: string, ends: string): RunEventKind => ({
  type: 'attempts_ended',
  so_far: {
    ...{ task, level: 'L1', ends, kept: 0, steps: 1, calls: 0, total_tokens: 1, error: null },
    ...{ prompt_tokens: 1, completion_tokens: 0, unreported: 0, problems: [] },
    answers: { hit: 0, miss: 0, injected: 0, refused: 0, live: 0, overlay: 0 },
  },
});

const leftOut = (planned: number, ...tasks: string[]): RunEventKind => ({
  type: 'run_changed',
  record: { at_ms: 20, done: 0, change: { what: 'leave_out', tasks } },
  planned,
});

it('an empty form changes nothing, and only what is filled in is sent', () => {
  expect(changesOf(NO_CHANGE)).toEqual([]);
  const draft = { ...NO_CHANGE, concurrency: '4', timeout: '2.5', max_cost: '1', base_url: ' http://h/v1 ' };
  expect(changesOf({ ...draft, uncapped: ['max_cost'], judges: ['j'], leave_out: ['a'] })).toEqual([
    { what: 'concurrency', to: 4 },
    { what: 'timeout', to: 2.5 },
    { what: 'max_cost', to: null },
    { what: 'base_url', to: 'http://h/v1' },
    { what: 'judges', to: ['j'], base_url: null },
    { what: 'leave_out', tasks: ['a'] },
  ]);
});

it('tasks that have begun are not offered to be left out, and failed attempts are told by repetition', () => {
  const run = runAfter(started, soFar('a', 'aM'));
  expect(waitingTasks(run)).toEqual(['b', 'c']);
  expect(failedAttempts(run)).toEqual([{ task: 'a', repetition: 2 }]);
});

it('a task that is left out is marked and leaves the plan, but for what had ended', () => {
  const run = runAfter(started, leftOut(3, 'a', 'b'), soFar('a', 'a'));
  const [level] = run.levels;
  expect(level?.cells.map(({ state }) => state)).toEqual(['done', 'left_out', 'waiting']);
  expect([level?.planned, level?.finished, run.planned]).toEqual([3, 1, 3]);
  expect(waitingTasks(run)).toEqual(['c']);
});

it('a task of which an attempt was under way when it was left out ends like any other', () => {
  const begun: RunEventKind = { type: 'attempt_started', task: 'a', level: 'L1', repetition: 1 } as RunEventKind;
  const run = runAfter(started, begun, leftOut(5, 'a'));
  expect(run.levels[0]?.cells[0]?.state).toBe('running');
  expect(run.levels[0]?.planned).toBe(5);
});

it.each<[RunChange, string]>([
  [{ what: 'concurrency', from: 2, to: 5 }, 'Concurrency 2 → 5'],
  [{ what: 'max_cost', from: 1, to: null }, 'Budget $1.00 → none'],
  [{ what: 'max_total_tokens', to: 1000 }, 'Token budget none → 1,000'],
  [{ what: 'base_url', to: 'http://h/v1' }, 'Address the provider’s own → http://h/v1'],
  [{ what: 'judges', to: ['a', 'b'], base_url: null }, 'Judges none → a, b'],
  [{ what: 'leave_out', tasks: ['1', '2', '3', '4', '5', '6', '7'] }, 'Left out: 1, 2, 3, 4, 5 and 2 more'],
  [{ what: 'retry', attempts: [{ task: 'a', repetition: 1 }] }, 'Retried: a'],
])('%j in words', (change, line) => {
  expect(lineOf({ at_ms: 1, done: 1, change })).toBe(line);
});
