import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../ipc/client';
import type { Job } from '../ipc/gen';
import { createFake } from '../platform/fake';
import { FakeJobs } from '../platform/fakeJobs';
import { forDraws } from './chanceForTests';
import { Jobs } from './jobs.svelte';
import { settle } from './settleForTests';

const ONE = { id: '1-1', kind: 'evaluation', about: [], done: 0, total: null, finished: false } as unknown as Job;
const TWO: Job = { ...ONE, id: '1-2' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const engine = new FakeJobs();
  return { engine, jobs: new Jobs(createClient(createFake({ jobs: engine }))) };
}

it('what is under way is known from what it is when the page comes on, and each change is told', async () => {
  const { engine, jobs } = world();
  engine.tell(ONE, { ...TWO, finished: true });
  const [heard, over]: [string[], string[]] = [[], []];
  const stop = jobs.onChange(({ id, done }, known) => heard.push(`${id} ${done} ${known}`));
  jobs.onOver(({ id }) => over.push(id));
  await settle();
  expect(jobs.underWay).toEqual([ONE]);
  engine.tell({ ...ONE, done: 3 }, TWO);
  expect(jobs.underWay.map(({ id, done }) => [id, done])).toEqual([
    ['1-1', 3],
    ['1-2', 0],
  ]);
  stop();
  engine.tell({ ...ONE, finished: true });
  expect(jobs.underWay).toEqual([TWO]);
  expect(heard).toEqual(['1-1 0 false', '1-2 0 false', '1-1 3 true', '1-2 0 false']);
  expect(over).toEqual(['1-1']);
});

it('a page asks once, however many parts of it look', async () => {
  const platform = createFake();
  let asked = 0;
  const jobs = new Jobs(createClient({ ...platform, stream: (...args) => ((asked += 1), platform.stream(...args)) }));
  jobs.onChange(() => undefined)();
  jobs.onOver(() => undefined);
  jobs.begin();
  await settle();
  expect(asked).toBe(1);
});

it('what is under way, and what is heard of it, is the same in whatever batches it is told', () =>
  forDraws(50, async (chance) => {
    const rows = Array.from({ length: 1 + chance.below(5) }, (_, id) => {
      const steps = Array.from({ length: 1 + chance.below(4) }, (_, done): Job => ({ ...ONE, id: `${id}`, done }));
      return chance.below(2) === 0 ? steps : [...steps, { ...steps.at(-1)!, finished: true }];
    });
    const told = chance.interleaved(rows);
    const { engine, jobs } = world();
    const heard: Job[] = [];
    jobs.onChange((job) => heard.push(job));
    await settle();
    for (const batch of chance.batches(told)) engine.tell(...batch);
    expect(heard).toEqual(told);
    // The oldest first, each as it was told last.
    const first = [...new Set(told.map(({ id }) => id))];
    const last = first.map((id) => told.findLast((job) => job.id === id)!);
    expect(jobs.underWay).toEqual(last.filter(({ finished }) => !finished));
  }));
