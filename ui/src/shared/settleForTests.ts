// The one way in which tests let time pass. The clock is faked, so nothing depends on how busy the machine is.
import { flushSync } from 'svelte';
import { vi } from 'vitest';

/**
 * Lets `ms` of faked time pass, timer by timer, and the screen show what followed. Modules that are imported meanwhile
 * take no time on that clock: a slow import and a quick one lead to the same screen.
 */
export async function settle(ms = 50): Promise<void> {
  if (!vi.isFakeTimers()) throw new Error('settle() needs faked timers');
  let over = false;
  setTimeout(() => (over = true), ms);
  do {
    await vi.dynamicImportSettled();
    await vi.advanceTimersToNextTimerAsync();
  } while (!over);
  // Whatever the last timer began: other timers of the same moment, and imports.
  await vi.advanceTimersByTimeAsync(0);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
}
