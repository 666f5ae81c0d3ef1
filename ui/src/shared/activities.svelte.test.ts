import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../ipc/client';
import type { Activity } from '../ipc/types';
import { Activities } from './activities.svelte';

const ONE = { id: '1-1', kind: 'evaluation', about: [], done: 0, total: null, finished: false } as unknown as Activity;

let asked: number;
let long: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
});
afterEach(() => void vi.useRealTimers());

function looking(): Activities {
  const client = {
    // Each answer is an array of its own, as from the engine.
    call: () => Promise.resolve(((asked += 1), [{ ...ONE }])),
    onLong: (tell: () => void) => ((long = tell), () => undefined),
  };
  return new Activities(client as unknown as Client);
}

it('an effect that expects something does not ask again with each answer', async () => {
  const activities = looking();
  const stop = $effect.root(() => {
    $effect(() => activities.expect(true));
  });
  flushSync();
  for (let ms = 0; ms < 10_000; ms += 10) {
    await vi.advanceTimersByTimeAsync(10);
    flushSync();
  }
  expect(asked).toBeGreaterThan(15);
  expect(asked).toBeLessThanOrEqual(21);
  stop();
});

it('many calls that take long make no more looks than one does', async () => {
  const activities = looking();
  const stop = activities.begin();
  for (let ms = 0; ms < 3000; ms += 20) {
    long();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(asked).toBeLessThanOrEqual(7);
  stop();
});
