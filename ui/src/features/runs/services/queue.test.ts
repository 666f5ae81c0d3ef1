import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../../../ipc/client';
import type { EndedRun, Job, RunRequest, RunsNow, WireError } from '../../../ipc/gen';
import type { Jobs } from '../../../shared/jobs.svelte';
import { settle } from '../../../shared/settleForTests';
import { Queue } from './queue.svelte';

const GONE: WireError = { code: 'not_found', message: 'no run r is under way' };
const LOST: WireError = { code: 'disconnected', message: 'nobody answers' };
const REFUSED: WireError = { code: 'model_unreachable', message: 'the judge is unknown' };
const CURRENT = { run: 'r', id: null, model: 'm', paused: false, scoring: false, spans_to: null, by_hand: null };
const ENDED: EndedRun = { run: 'r', id: null, model: 'm', outcome: null, error: REFUSED, reports: [], spans: null };
const IDLE: RunsNow = { current: null, queue: [], ended: [] };
const GOING: RunsNow = { ...IDLE, current: CURRENT };
const OVER: RunsNow = { ...IDLE, ended: [ENDED] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue whose engine gives these answers one after the other, and knows no run to watch. */
function world(answers: (RunsNow | WireError | Promise<RunsNow>)[]) {
  const ended: EndedRun[] = [];
  const asked: string[] = [];
  let hear: (job: Job) => void = () => undefined;
  const call = (command: string) => {
    asked.push(command);
    const answer = answers.shift() ?? IDLE;
    return 'code' in answer ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const client = { call, subscribe: () => Promise.reject(GONE) } as unknown as Client;
  const jobs = { onChange: (heard: typeof hear) => ((hear = heard), () => undefined) } as unknown as Jobs;
  const queue = new Queue(client, jobs, (one) => ended.push(one));
  const tell = async (change: Partial<Job>) => {
    hear({ id: '1-1', kind: 'run', about: ['r'], news: 0, done: 0, total: null, finished: false, ...change } as Job);
    await settle();
  };
  return { queue, tell, ended, asked };
}

it('a run that is gone before it can be watched is told with why it could not begin', async () => {
  const { queue, tell, ended } = world([IDLE, GOING, GOING, OVER]);
  await queue.begin();
  expect(await queue.start([{ run: 'r' } as RunRequest])).toBe(true);
  expect(queue.error).toBeNull();
  await tell({});
  await tell({ finished: true });
  expect(queue.now.current).toBeNull();
  expect(ended).toEqual([ENDED]);
  expect(queue.error).toBeNull();
});

it('only news of a run are a reason to ask, and each once', async () => {
  const { queue, tell, asked } = world([GOING, GOING, GOING]);
  await queue.begin();
  await tell({});
  expect(asked).toHaveLength(2);
  await tell({ done: 3, total: 9 });
  await tell({ kind: 'import', id: '1-2' });
  expect(asked).toHaveLength(2);
  await tell({ done: 3, total: 9, news: 1 });
  await tell({ done: 4, total: 9, news: 1 });
  expect(asked).toHaveLength(3);
});

it('news that came while nobody answered are asked for at the next change', async () => {
  const { queue, tell, ended } = world([GOING, LOST, OVER]);
  await queue.begin();
  await tell({ finished: true });
  expect([queue.error, ended.length]).toEqual([LOST, 0]);
  await tell({ finished: true });
  expect(ended).toEqual([ENDED]);
});

it('an answer that comes after one to a later question is not shown', async () => {
  let late: (now: RunsNow) => void = () => undefined;
  const { queue, tell, ended } = world([GOING, new Promise((resolve) => (late = resolve)), OVER]);
  await queue.begin();
  const moved = queue.move('other', 0);
  await tell({ finished: true });
  late(GOING);
  expect(await moved).toBe(true);
  expect(queue.now.current).toBeNull();
  expect(ended).toEqual([ENDED]);
});
