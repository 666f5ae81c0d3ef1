import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../../../ipc/client';
import { OpenedRun } from './opened.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = { code: 'storage', message: 'the journal cannot be read' };

/** A client whose looks at a run come out as `looks` says, one after the other; the last one stays. */
function client(looks: ('fails' | 'goes on' | 'over')[]) {
  const call = vi.fn((command: string) => {
    if (command !== 'run_replay') return Promise.resolve(null);
    const look = looks.length > 1 ? looks.shift() : looks[0];
    return look === 'fails'
      ? Promise.reject(Object.assign(new Error(refused.message), refused))
      : Promise.resolve({ run: 'm/1', events: [], finished: look === 'over' });
  });
  return { client: { call, report: () => Promise.resolve(null) } as unknown as Client, call };
}

async function followed(looks: ('fails' | 'goes on' | 'over')[]) {
  const { client: of, call } = client(['goes on', ...looks]);
  const run = new OpenedRun(of);
  await run.open('m/1', true);
  const over = vi.fn();
  const stop = run.follow('m/1', over);
  const errors: unknown[] = [];
  for (let second = 0; second < looks.length; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    errors.push(run.error);
  }
  stop();
  return { run, errors, over, looked: call.mock.calls.filter(([command]) => command === 'run_replay').length - 1 };
}

test('a look that fails is said once, and the run is followed further', async () => {
  const { errors, over, looked } = await followed(['fails', 'fails', 'goes on', 'over']);
  expect(errors[0]).toMatchObject({ message: refused.message });
  expect(errors[1]).toBe(errors[0]);
  expect(errors[2]).toBeNull();
  expect(looked).toBe(4);
  expect(over).toHaveBeenCalledOnce();
});

test('looks that succeed say nothing', async () => {
  const { errors } = await followed(['goes on', 'goes on']);
  expect(errors).toEqual([null, null]);
});

test('an answer about the run before is dropped', async () => {
  const answers = new Map<string, (replay: unknown) => void>();
  const call = (_: string, { run }: { run: string }) => new Promise((resolve) => answers.set(run, resolve));
  const run = new OpenedRun({ call, report: () => Promise.resolve(null) } as unknown as Client);
  const [first, second] = [run.open('m/1', true), run.open('m/2', true)];
  answers.get('m/2')?.({ run: 'm/2', events: [], finished: true });
  await second;
  const shown = run.state;
  expect([shown === null, run.loading]).toEqual([false, false]);
  answers.get('m/1')?.({ run: 'm/1', events: [], finished: true });
  await first;
  expect(run.state).toBe(shown);
});
