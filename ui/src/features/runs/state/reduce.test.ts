import { describe, expect, it } from 'vitest';
import type { RunChange, RunEvent, RunEventKind, RunRequest } from '../../../ipc/gen';
import { script } from '../../../platform/fakeScript';
import { forDraws } from '../../../shared/chanceForTests';
import { costOf, elapsedAt, remainingAt } from './progress';
import { reduce, reduceAll } from './reduce';
import { IDLE, type RunState } from './state';

const REQUEST: RunRequest = {
  run: 'r1',
  pack: 'starter',
  model: 'baseline/golden',
  base_url: null,
  levels: ['L3', 'L4', 'L5', 'L7'],
  protocol: 'leaderboard',
  repetitions: 1,
  concurrency: null,
};

const EVENTS = script(REQUEST, '/runs/1', 1_000);

/** A run of two L1 tasks after these events. */
function after(...kinds: RunEventKind[]): RunState {
  return reduceAll(IDLE, [started(1), ...kinds].map(at));
}

function started(repetitions: number): RunEventKind {
  return {
    type: 'run_started',
    model: 'm',
    pack: 'p@1',
    protocol: 'corrected',
    levels: [{ level: 'L1', tasks: ['a', 'b'] }],
    repetitions,
    concurrency: 2,
    attempts: 2 * repetitions,
    price: { input: 2, output: 10 },
    max_cost: 1,
    max_total_tokens: null,
  };
}

function at(kind: RunEventKind, index: number): RunEvent {
  return { at_ms: 5_000 + index * 100, elapsed_ms: index * 100, run: 'r', kind };
}

const begin = (task: string, repetition = 1): RunEventKind => ({
  type: 'attempt_started',
  task,
  level: 'L1',
  repetition,
});

function end(task: string, over: Partial<Extract<RunEventKind, { type: 'attempt_finished' }>> = {}): RunEventKind {
  return {
    type: 'attempt_finished',
    task,
    level: 'L1',
    repetition: 1,
    success: true,
    stop: 'answered',
    cut_off: false,
    steps: 2,
    calls: 1,
    total_tokens: 100,
    took_ms: 50,
    error: null,
    ...over,
  };
}

const finish = (over: Partial<Extract<RunEventKind, { type: 'run_finished' }>> = {}): RunEventKind => ({
  type: 'run_finished',
  outcome: 'completed',
  done: 2,
  failed: 0,
  folder: '/runs/r',
  reason: null,
  ...over,
});

const states = (state: RunState) =>
  Object.fromEntries(state.levels.flatMap(({ cells }) => cells.map(({ task, state: cell }) => [task, cell])));

describe('a whole run', () => {
  const state = reduceAll(IDLE, EVENTS);

  it('counts every attempt once, by level and over all', () => {
    expect(state.levels.map(({ level, finished, planned, failed }) => [level, finished, planned, failed])).toEqual([
      ['L3', 5, 5, 0],
      ['L4', 5, 5, 1],
      ['L5', 8, 8, 0],
      ['L7', 5, 5, 0],
    ]);
    expect([state.finished, state.planned, state.failed]).toEqual([23, 23, 1]);
  });

  it('shows what is wrong with the journal that it goes on from', () => {
    const kind = { ...started(1), problems: ['line 3 is damaged'] } as RunEventKind;
    expect(reduceAll(IDLE, [at(kind, 0)]).damage).toEqual(['line 3 is damaged']);
    expect(state.damage).toEqual([]);
  });

  it('sums steps, tokens and where answers came from', () => {
    expect(state.counters).toEqual({
      steps: 44,
      calls: 22,
      promptTokens: 22 * 730,
      completionTokens: 22 * 75,
      unreported: 0,
      hit: 13,
      miss: 1,
      injected: 8,
      refused: 0,
      live: 0,
      overlay: 0,
    });
  });

  it('names the owner of each problem', () => {
    expect(state.problems.map(({ owner, stop, tool, tasks, count }) => [owner, stop, tool, tasks, count])).toEqual([
      ['pack', null, 'PlaceSearch_kakao', ['L3-001'], 1],
      ['server', 'model_failed', null, ['L4-005'], 1],
      ['model', 'step_limit', null, ['L7-002'], 1],
    ]);
  });

  it('is over, with its folder', () => {
    expect([state.phase, state.outcome, state.folder]).toEqual(['over', 'completed', '/runs/1']);
  });

  it('is the same in whatever batches its events come', () =>
    forDraws(50, (chance) => {
      const batches = chance.batches(EVENTS);
      expect(batches.flat()).toEqual(EVENTS);
      expect(batches.reduce(reduceAll, IDLE)).toEqual(state);
    }));

  it('is the same in whatever order attempts that run at once tell of themselves', () =>
    forDraws(50, (chance) => {
      const rows = new Map<string, RunEvent[]>();
      for (const event of EVENTS.slice(1, -1)) {
        const { task, repetition } = event.kind as Extract<RunEventKind, { type: 'attempt_started' }>;
        rows.set(`${task} ${repetition}`, [...(rows.get(`${task} ${repetition}`) ?? []), event]);
      }
      expect(rows.size).toBe(23);
      const shuffled = [EVENTS[0]!, ...chance.interleaved([...rows.values()]), EVENTS.at(-1)!];
      const inOrder = (of: RunState) => ({ ...of, problems: of.problems.toSorted((a, b) => (a.key < b.key ? -1 : 1)) });
      expect(inOrder(reduceAll(IDLE, shuffled))).toEqual(inOrder(state));
    }));

  it('is changed by no event that comes again after the end of its attempt, nor by any after its own end', () =>
    forDraws(50, (chance) => {
      const again = new Set<RunEventKind['type']>(['attempt_started', 'step_started', 'waiting', 'attempt_finished']);
      const ends = EVENTS.flatMap(({ kind }, index) => (kind.type === 'attempt_finished' ? [index] : []));
      const end = chance.one(ends);
      const { task } = EVENTS[end]!.kind as Extract<RunEventKind, { type: 'attempt_finished' }>;
      const late = chance.one(
        EVENTS.slice(1, end + 1).filter(({ kind }) => 'task' in kind && kind.task === task && again.has(kind.type)),
      );
      const at = end + 1 + chance.below(EVENTS.length - end - 1);
      const before = reduceAll(IDLE, EVENTS.slice(0, at));
      expect(reduce(before, late)).toEqual(before);
      const after = reduceAll(before, EVENTS.slice(at));
      expect(after).toEqual(state);
      expect(reduce(after, chance.one(EVENTS.slice(1)))).toBe(after);
    }));
});

describe('one attempt', () => {
  it('goes from waiting over running to done', () => {
    expect(states(after())).toEqual({ a: 'waiting', b: 'waiting' });
    expect(states(after(begin('a')))).toEqual({ a: 'running', b: 'waiting' });
    expect(states(after(begin('a'), end('a')))).toEqual({ a: 'done', b: 'waiting' });
  });

  it('may end before one that began earlier', () => {
    const state = after(begin('a'), begin('b'), end('b'));
    expect(states(state)).toEqual({ a: 'running', b: 'done' });
    expect(state.finished).toBe(1);
  });

  it('stays over when a late event of it arrives, and is not counted twice', () => {
    const late: RunEventKind = {
      type: 'waiting',
      task: 'a',
      repetition: 1,
      reason: 'late',
      wait_ms: 1,
      until_ms: null,
    };
    const state = after(begin('a'), end('a'), late, begin('a'), end('a'));
    expect(states(state)['a']).toBe('done');
    expect(state.finished).toBe(1);
  });

  it('shows a retry until the next step', () => {
    const waiting: RunEventKind = {
      type: 'waiting',
      task: 'a',
      repetition: 1,
      reason: '503',
      wait_ms: 1,
      until_ms: null,
    };
    const step: RunEventKind = {
      type: 'step_finished',
      task: 'a',
      repetition: 1,
      step: 1,
      calls: 0,
      prompt_tokens: null,
      completion_tokens: null,
      ttft_ms: null,
      latency_ms: 1,
      finish: null,
    };
    expect(states(after(begin('a'), waiting))['a']).toBe('retrying');
    expect(states(after(begin('a'), waiting, step))['a']).toBe('running');
    expect(after(begin('a'), waiting, step).counters.promptTokens).toBeNull();
  });

  it.each([
    ['model_failed', 'failed', 'server', 1],
    ['timed_out', 'failed', 'model', 1],
    ['step_limit', 'unanswered', 'model', 0],
    ['budget_spent', 'unanswered', 'limit', 0],
  ] as const)('that stops with %s is %s, owned by the %s', (stop, cell, owner, technical) => {
    const state = after(begin('a'), end('a', { success: false, stop, error: 'why' }));
    expect(states(state)['a']).toBe(cell);
    expect(state.failed).toBe(technical);
    expect(state.problems).toMatchObject([{ owner, stop, message: 'why', tasks: ['a'], count: 1 }]);
  });

  it.each([
    [true, 'answered', 'done'],
    [false, 'cut_off', 'unanswered'],
  ] as const)('names an answer that was cut off (success %s)', (success, stop, cell) => {
    const state = after(begin('a'), end('a', { success, stop, cut_off: true, error: success ? null : 'why' }));
    expect(states(state)['a']).toBe(cell);
    expect(state.failed).toBe(0);
    expect(state.problems).toMatchObject([{ owner: 'model', stop: 'cut_off', message: null, tasks: ['a'], count: 1 }]);
  });

  it('of a task nobody planned changes nothing but the clock', () => {
    const { elapsedMs, ...state } = after(end('stranger'));
    const { elapsedMs: before, ...plain } = after();
    expect(state).toEqual(plain);
    expect(elapsedMs).toBeGreaterThan(before);
  });
});

describe('a run that is cancelled', () => {
  const turn = (task: string): RunEventKind => ({
    type: 'step_finished',
    task,
    repetition: 1,
    step: 1,
    calls: 2,
    prompt_tokens: 10,
    completion_tokens: 1,
    ttft_ms: null,
    latency_ms: 1,
    finish: null,
  });
  const answer = (task: string): RunEventKind => ({
    type: 'tool_answered',
    task,
    repetition: 1,
    step: 1,
    tool: 'x',
    call_id: null,
    ok: true,
    source: 'hit',
    took_ms: null,
  });
  const spent = { prompt_tokens: 25, completion_tokens: 2, usd: 0.5, unreported: 1 };
  const made = [begin('a'), turn('a'), answer('a'), end('a'), begin('b'), turn('b'), answer('b')];

  it('counts what its ended attempts made, as its report does, and all that it has spent', () => {
    const going = after(...made);
    expect([going.counters.steps, going.counters.calls, going.counters.hit]).toEqual([2, 4, 2]);
    const over = after(...made, finish({ outcome: 'cancelled', done: 1, spent }));
    expect([over.counters.steps, over.counters.calls, over.counters.hit]).toEqual([1, 2, 1]);
    expect(costOf(over)).toEqual({ prompt: 25, completion: 2, usd: 0.5, unreported: 1 });
    expect(costOf(after(...made, finish({ outcome: 'cancelled', done: 1 }))).prompt).toBe(20);
  });
});

describe('repetitions', () => {
  const run = (...kinds: RunEventKind[]) => reduceAll(IDLE, [started(2), ...kinds].map(at));

  it('leave a task waiting until all are over', () => {
    expect(states(run(begin('a', 1), end('a')))['a']).toBe('waiting');
    expect(states(run(begin('a', 1), end('a'), begin('a', 2), end('a', { repetition: 2 })))['a']).toBe('done');
  });

  it('show the worst of them', () => {
    const failed = end('a', { repetition: 2, success: false, stop: 'model_failed' });
    expect(states(run(begin('a', 1), end('a'), begin('a', 2), failed))['a']).toBe('failed');
  });
});

describe('the end', () => {
  it('of a cancelled run keeps what was done and cuts off what was under way', () => {
    const state = after(begin('a'), end('a'), begin('b'), finish({ outcome: 'cancelled', done: 1 }));
    expect(states(state)).toEqual({ a: 'done', b: 'cancelled' });
    expect([state.outcome, state.finished, state.problems]).toEqual(['cancelled', 1, []]);
  });

  it('of a run that could not go on is a problem of this program', () => {
    const state = after(begin('a'), finish({ outcome: 'failed', done: 0, reason: 'the disk is full' }));
    expect(state.problems).toMatchObject([{ owner: 'product', message: 'the disk is full' }]);
    expect(state.reason).toBe('the disk is full');
  });

  it('is final', () => {
    const state = after(finish());
    expect(reduce(state, at(begin('a'), 9))).toBe(state);
  });
});

it('ignores events of another run', () => {
  const state = after();
  expect(reduce(state, { ...at(begin('a'), 1), run: 'other' })).toBe(state);
});

it('makes one cell anew an event, however many tasks there are', () => {
  const tasks = Array.from({ length: 1_000 }, (_, index) => `t${index}`);
  const plan = { ...started(1), levels: [{ level: 'L1', tasks }], attempts: tasks.length } as RunEventKind;
  const cells = (state: RunState) => state.levels.flatMap((level) => level.cells);
  const events = [begin('t7'), begin('t7'), end('t7')].map((kind, index) => at(kind, index + 1));
  let state = reduceAll(IDLE, [at(plan, 0)]);
  for (const event of events) {
    const next = reduce(state, event);
    expect(cells(next).flatMap((cell, index) => (cell === cells(state)[index] ? [] : [cell.task]))).toEqual(['t7']);
    state = next;
  }
  expect([state.finished, states(state)['t7']]).toEqual([1, 'done']);
});

it('takes 10,000 attempts at 41 tasks, each event without looking at all attempts of its task', () => {
  const tasks = Array.from({ length: 41 }, (_, index) => `t${index}`);
  const plan = { ...started(250), levels: [{ level: 'L1', tasks }], attempts: 41 * 250 } as RunEventKind;
  const kinds = [plan];
  for (let repetition = 1; repetition <= 250; repetition += 1) {
    for (const task of tasks) kinds.push(begin(task, repetition), end(task, { repetition }));
  }
  const state = reduceAll(IDLE, kinds.map(at));
  expect(state.finished).toBe(10_250);
  expect(
    state.levels[0]?.cells.every(({ state, steps, tally }) => state === 'done' && steps === 500 && tally.done === 250),
  ).toBe(true);
});

describe('time', () => {
  const half = after(begin('a'), end('a'), begin('b'));

  it('runs on between events and stands still at the end', () => {
    expect(elapsedAt(half, 5_000 + 4_000)).toBe(4_000);
    expect(elapsedAt(after(finish()), 99_000)).toBe(100);
  });

  it('left is unknown until enough is done, then a share of the pace so far', () => {
    expect(remainingAt(half, 9_000)).toBeNull();
    const state: RunState = { ...half, finished: 4, planned: 12 };
    expect(remainingAt(state, 5_000 + 4_000)).toBe(8_000);
  });
});

describe('what goes on now', () => {
  const asks = (task: string, step: number): RunEventKind => ({ type: 'step_started', task, repetition: 1, step });
  const answered = (task: string, step: number, tokens: number | null = 100_000): RunEventKind => ({
    type: 'step_finished',
    task,
    repetition: 1,
    step,
    calls: 1,
    prompt_tokens: tokens,
    completion_tokens: tokens,
    ttft_ms: null,
    latency_ms: 1,
    finish: null,
  });

  it('is told attempt by attempt, and no longer once it is over', () => {
    const wait: RunEventKind = {
      type: 'waiting',
      task: 'b',
      repetition: 1,
      reason: 'slow down',
      wait_ms: 900,
      until_ms: 9_900,
    };
    const busy = after(begin('a'), asks('a', 1), begin('b'), answered('a', 1), asks('b', 1), wait);
    const doing = (state: RunState) =>
      state.flights.map(({ task, step, doing, why, until }) => [task, step, doing, why, until]);
    expect(doing(busy)).toEqual([
      ['a', 1, 'reads', null, null],
      ['b', 1, 'waits', 'slow down', 9_900],
    ]);
    const later = reduceAll(
      busy,
      [asks('b', 1), end('a')].map((kind, index) => at(kind, 20 + index)),
    );
    expect(doing(later)).toEqual([['b', 1, 'asks', null, null]]);
    expect(later.levels[0]?.cells[1]?.state).toBe('running');
  });

  it('costs what its tokens cost, and says how many calls nobody counted', () => {
    const state = after(begin('a'), answered('a', 1), answered('a', 2, null));
    expect(costOf(state).usd).toBeCloseTo(1.2);
    expect([costOf(state).unreported, state.maxCost]).toEqual([1, 1]);
    expect(costOf({ ...state, price: null }).usd).toBeNull();
  });
});

describe('a pause', () => {
  const kinds: RunEventKind[] = [{ type: 'run_paused', reason: null }, { type: 'run_resumed' }];

  it('is seen, also after a reload, and is over when the run goes on or ends', () => {
    const paused = after(begin('a'), kinds[0]!);
    expect([paused.pausedAt, paused.pausedFor]).toEqual([200, null]);
    const unanswered = after(begin('a'), { type: 'run_paused', reason: 'no server answers' });
    expect(unanswered.pausedFor).toBe('no server answers');
    expect(reduce(unanswered, at(kinds[1]!, 7)).pausedFor).toBeNull();
    const on = reduce(paused, at(kinds[1]!, 7));
    expect([on.pausedAt, on.pausedMs]).toEqual([null, 500]);
    const over = reduce(
      paused,
      at({ type: 'run_finished', outcome: 'cancelled', done: 0, failed: 0, folder: null, reason: null }, 12),
    );
    expect([over.pausedAt, over.pausedMs]).toEqual([null, 1_000]);
  });

  it('makes nobody believe that the run is slow', () => {
    const before = [1, 2, 3].flatMap((repetition) => [begin('a', repetition), end('a', { repetition })]);
    const events = [started(3), ...before].map(at);
    const state = reduceAll(IDLE, [...events, at(kinds[0]!, 6), at(kinds[1]!, 1_006)]);
    expect(remainingAt(state, state.startedAt + 100_600)).toBe(600);
  });
});

describe('a change of the run', () => {
  const changed = (change: RunChange, at_ms = 9_000, planned = 2): RunEventKind => ({
    type: 'run_changed',
    record: { at_ms, done: 1, change },
    planned,
  });
  const failed = end('a', { success: false, stop: 'model_failed', error: 'down' });

  it('shows new values and has its place in the history', () => {
    const state = after(
      changed({ what: 'concurrency', from: 2, to: 5 }),
      changed({ what: 'max_cost', from: 1, to: null }),
      changed({ what: 'leave_out', tasks: ['b'] }, 9_000, 1),
    );
    expect([state.concurrency, state.maxCost, state.planned, state.changes.length]).toEqual([5, null, 1, 3]);
    const earlier = after(changed({ what: 'concurrency', to: 5 }, 4_000));
    expect([earlier.concurrency, earlier.changes.length], 'the start has its own').toEqual([2, 1]);
  });

  it('puts a failed attempt back, which then ends like any other', () => {
    const again = changed({ what: 'retry', attempts: [{ task: 'a', repetition: 1 }] });
    const open = after(begin('a'), failed, again);
    expect([open.finished, open.failed, open.levels[0]?.failed]).toEqual([0, 0, 0]);
    expect(open.levels[0]?.cells[0]?.state).toBe('waiting');
    const made = after(begin('a'), failed, again, begin('a'), end('a'));
    expect([made.finished, made.failed, made.levels[0]?.cells[0]?.state]).toEqual([1, 0, 'done']);
  });
});

it('what an earlier start has finished says nothing about the pace of this one', () => {
  const kept = [1, 2, 3].map((repetition) => end('a', { repetition }));
  const state = reduceAll(IDLE, [started(3), ...kept].map(at));
  expect([state.kept, state.finished, remainingAt(state, state.startedAt + 400)]).toEqual([3, 3, null]);
});

describe('attempts that ended before', () => {
  it('count as if each had been seen', () => {
    const kinds: RunEventKind[] = [
      started(4),
      {
        type: 'attempts_ended',
        so_far: {
          task: 'a',
          level: 'L1',
          ends: 'a-MA',
          kept: 2,
          steps: 5,
          calls: 3,
          prompt_tokens: 40,
          completion_tokens: 8,
          total_tokens: 48,
          unreported: 1,
          answers: { hit: 2, miss: 1, injected: 0, refused: 0, live: 0, overlay: 0 },
          problems: [
            { stop: null, message: null, tool: 'Search', count: 1 },
            { stop: 'model_failed', message: 'gone', tool: null, count: 2 },
          ],
          error: 'gone',
        },
      },
      begin('a', 2),
    ];
    const state = reduceAll(IDLE, kinds.map(at));
    const cell = state.levels[0]!.cells[0]!;
    expect(cell.tally).toMatchObject({ done: 1, failed: 1, unanswered: 1, running: 1, waiting: 0 });
    expect(cell.state).toBe('running');
    expect([cell.steps, cell.calls, cell.tokens, cell.error]).toEqual([5, 3, 48, 'gone']);
    expect([state.finished, state.failed, state.kept]).toEqual([3, 1, 2]);
    expect(state.counters).toMatchObject({ steps: 5, calls: 3, promptTokens: 40, hit: 2, miss: 1, unreported: 1 });
    expect(state.problems.map(({ owner, count }) => [owner, count])).toEqual([
      ['pack', 1],
      ['server', 2],
    ]);
  });
});
