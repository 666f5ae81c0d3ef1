import { expect, it, vi } from 'vitest';
import { flushSync } from 'svelte';
import { lookAgain } from './look.svelte';

it('looks no more once the page is left, though a look was under way', async () => {
  vi.useFakeTimers();
  let answer: () => void = () => undefined;
  const load = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)));
  const leave = $effect.root(() => lookAgain(load));
  flushSync();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(load).toHaveBeenCalledTimes(1);
  leave();
  answer();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(load).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
