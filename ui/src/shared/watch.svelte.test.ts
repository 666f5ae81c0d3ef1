import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../ipc/client';
import type { Job } from '../ipc/gen';
import { FakeJobs } from '../platform/fakeJobs';
import { Jobs } from './jobs.svelte';
import { every, onNews, useLater, watch } from './watch.svelte';

let leave = () => {};
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  leave();
  vi.useRealTimers();
});
function begin<T>(use: () => T): T {
  let made!: T;
  leave = $effect.root(() => void (made = use()));
  flushSync();
  return made;
}

it('a value is told of when it is another one, at first too where it is not the one before', () => {
  let value = $state<string | null>('one');
  const heard = vi.fn();
  begin(() => watch(() => value, heard));
  expect(heard).not.toHaveBeenCalled();
  value = 'two';
  flushSync();
  expect(heard.mock.calls).toEqual([['two']]);
  leave();
  begin(() => watch(() => value, heard, null));
  expect(heard).toHaveBeenCalledTimes(2);
});

it('what is done every few seconds ends when nobody wants it and when the page is left', async () => {
  let wanted = $state(true);
  const work = vi.fn(async () => undefined);
  begin(() => every(1_000, work, () => wanted));
  await vi.advanceTimersByTimeAsync(2_500);
  wanted = false;
  flushSync();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(2);
  wanted = true;
  flushSync();
  leave();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(2);
});

it('news of a job of that kind and of what it is about are heard, once at a time', async () => {
  const fake = new FakeJobs();
  const jobs = new Jobs({
    watchJobs: async (heard: (jobs: Job[]) => void) => heard(fake.subscribe(heard)),
  } as unknown as Client);
  let answer = () => {};
  const work = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  const ask = begin(() => onNews(jobs, 'scenario_run', work, () => 'r1'));
  const job = (kind: string, of: string) => ({ id: `${kind} ${of}`, kind, about: [of], finished: false }) as Job;
  fake.tell(job('recording', 'r1'), job('scenario_run', 'r2'));
  expect(work).not.toHaveBeenCalled();
  fake.tell(job('scenario_run', 'r1'));
  fake.tell(job('scenario_run', 'r1'));
  void ask();
  expect(work).toHaveBeenCalledOnce();
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(2);
  leave();
  fake.tell(job('scenario_run', 'r1'));
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(2);
});

it('what may wait is asked for once the first is there and painted', async () => {
  let there = $state(false);
  const later = begin(() => useLater(() => there));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(later.now).toBe(false);
  there = true;
  flushSync();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(later.now).toBe(true);
});
