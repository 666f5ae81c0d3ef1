import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../ipc/client';
import type { Activity } from '../ipc/types';
import { createFake } from '../platform/fake';
import { Activities } from '../shared/activities.svelte';
import ActivityStrip from './ActivityStrip.svelte';

let shown: ReturnType<typeof mount> | undefined;
let told: Activity[];
let asked: number;
let stop: () => void = () => undefined;

const ONE: Activity = {
  id: '1-1',
  kind: 'evaluation',
  about: ['azure_gpt/20251219_1'],
  done: 20,
  total: 80,
  since_ms: 0,
  took_ms: 10_000,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  asked = 0;
});
afterEach(async () => {
  stop();
  if (shown) await unmount(shown);
  shown = undefined;
  vi.useRealTimers();
});

async function open(): Promise<{ activities: Activities; client: ReturnType<typeof createClient> }> {
  const platform = createFake({
    answers: {
      activities_list: () => {
        asked += 1;
        return told;
      },
      activity_cancel: ({ id }) => {
        told = told.map((one) => (one.id === id ? { ...one, cancelling: true } : one));
        return null;
      },
    },
  });
  // Scoring takes as long as the test lets it.
  const call: typeof platform.call = (command, args) =>
    command === 'run_evaluate' ? new Promise(() => undefined) : platform.call(command, args);
  const client = createClient({ ...platform, call });
  const activities = new Activities(client);
  stop = activities.begin();
  shown = mount(ActivityStrip, { target: document.body, props: { activities } });
  await settle(0);
  return { activities, client };
}

async function settle(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
}

const text = () => document.querySelector('[data-strip]')?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

it('nothing is shown or asked for while nothing is under way', async () => {
  await open();
  await settle(60_000);
  expect(text()).toBe('');
  expect(asked).toBe(1);
});

it('a call that takes long is looked after until it is over', async () => {
  const { client, activities } = await open();
  const over: string[] = [];
  activities.onOver(({ id }) => over.push(id));
  void client.evaluate({ run: 'r', scorer: 'leaderboard', judges: ['a/b'], judge_base_url: null });
  told = [ONE];
  await settle(500);
  expect(text()).toBe('Scoring azure_gpt/20251219_1 20 of 80 · about 30.0 s left Cancel');
  told = [{ ...ONE, finished: true, done: 80 }];
  await settle(500);
  expect(text()).toBe('');
  expect(over).toEqual(['1-1']);
  const before = asked;
  await settle(60_000);
  expect(asked).toBe(before);
});

it('cancelling asks the engine and says so', async () => {
  told = [ONE];
  await open();
  document.querySelector<HTMLButtonElement>('[data-strip] button')?.click();
  await settle(0);
  expect(text()).toContain('Stopping…');
  expect(document.querySelector<HTMLButtonElement>('[data-strip] button')?.disabled).toBe(true);
});
