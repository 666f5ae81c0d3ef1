import { mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../ipc/client';
import type { Job } from '../ipc/gen';
import { createFake } from '../platform/fake';
import { FakeJobs } from '../platform/fakeJobs';
import HostForTests from '../shared/HostForTests.svelte';
import { settle } from '../shared/settleForTests';
import JobStrip from './JobStrip.svelte';

let shown: ReturnType<typeof mount> | undefined;
let jobs: FakeJobs;

const ONE: Job = {
  id: '1-1',
  kind: 'evaluation',
  about: ['azure_gpt/20251219_1'],
  done: 20,
  total: 80,
  since_ms: 0,
  took_ms: 10_000,
  news: 0,
  in_bytes: false,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};

beforeEach(() => {
  vi.useFakeTimers();
  jobs = new FakeJobs();
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = undefined;
  vi.useRealTimers();
});

async function open(): Promise<void> {
  const platform = createFake({
    jobs,
    answers: {
      job_cancel: () => {
        jobs.tell({ ...ONE, cancelling: true });
        return null;
      },
    },
  });
  const host = { platform, client: createClient(platform) };
  shown = mount(HostForTests, { target: document.body, props: { host, shown: JobStrip as never, props: {} } });
  await settle(0);
}

const text = () => document.querySelector('[data-strip]')?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

it('nothing is shown while nothing is under way', async () => {
  await open();
  await settle(60_000);
  expect(text()).toBe('');
  jobs.tell(ONE);
  await settle(600);
  expect(text()).toContain('20 of 80');
});

it('what takes long is shown until it is over, and what is over soon is not', async () => {
  await open();
  const now = { ...ONE, since_ms: Date.now() };
  jobs.tell(now);
  await settle(200);
  expect(text()).toBe('');
  await settle(400);
  expect(text()).toBe('Scoring azure_gpt/20251219_1 20 of 80 · about 30.0 s left Cancel');
  jobs.tell({ ...now, finished: true, done: 80 });
  await settle(0);
  expect(text()).toBe('');
});

it('the time that something takes goes on between what is told of it', async () => {
  await open();
  jobs.tell({ ...ONE, since_ms: Date.now(), total: null });
  await settle(10_000);
  expect(text()).toContain('9.9 s');
});

it('cancelling asks the engine and says so', async () => {
  jobs.tell(ONE);
  await open();
  document.querySelector<HTMLButtonElement>('[data-strip] button')?.click();
  await settle(0);
  expect(text()).toContain('Stopping…');
  expect(document.querySelector<HTMLButtonElement>('[data-strip] button')?.disabled).toBe(true);
});
