import { expect, it, vi } from 'vitest';
import type { Client } from '../../ipc/client';
import type { RunEvent } from '../../ipc/gen';
import { GoingFork } from './going.svelte';

const event = (kind: object) => ({ kind }) as RunEvent;

it('is followed once, and its end is told once', async () => {
  let tell: (events: RunEvent[]) => void = () => {};
  const subscribe = vi.fn(async (_: string, heard: typeof tell) => (tell = heard));
  const over = vi.fn(async () => undefined);
  const fork = new GoingFork({ subscribe } as unknown as Client, () => 'f1', over);
  await fork.follow();
  await fork.follow();
  expect(subscribe.mock.calls.map(([run]) => run)).toEqual(['fork:f1']);
  tell([event({ type: 'step_started', step: 3 })]);
  expect([fork.progress.step, over.mock.calls.length]).toEqual([3, 0]);
  tell([event({ type: 'run_finished' })]);
  tell([event({ type: 'run_finished' })]);
  expect(over).toHaveBeenCalledOnce();
});

it('that ended between two questions is read again', async () => {
  const over = vi.fn(async () => undefined);
  const subscribe = () => Promise.reject({ code: 'not_found', message: 'there is no such run' });
  await new GoingFork({ subscribe } as unknown as Client, () => 'f1', over).follow();
  expect(over).toHaveBeenCalledOnce();
});
