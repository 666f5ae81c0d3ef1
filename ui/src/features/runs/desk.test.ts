import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../../ipc/client';
import type { EndedRun, RunRequest, RunsNow, WireError } from '../../ipc/types';
import { Desk } from './desk.svelte';

const GONE: WireError = { code: 'not_found', message: 'no run r is under way' };
const REFUSED: WireError = { code: 'model_unreachable', message: 'the judge is unknown' };
const CURRENT = { run: 'r', id: null, model: 'm', paused: false, scoring: false, spans_to: null };
const ENDED: EndedRun = { run: 'r', id: null, model: 'm', outcome: null, error: REFUSED, reports: [], spans: null };

let desk: Desk;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  desk.end();
  vi.useRealTimers();
});

/** A desk whose engine answers the looks one after the other, and knows no run to watch. */
function before(looks: RunsNow[]): EndedRun[] {
  const told: EndedRun[] = [];
  const now = () => Promise.resolve(looks.length > 1 ? looks.shift() : looks[0]);
  const client = { call: now, subscribe: () => Promise.reject(Object.assign(new Error(), GONE)) };
  desk = new Desk(client as unknown as Client, (ended) => told.push(ended));
  return told;
}

it('a run that is gone before it can be watched is told with why it could not begin', async () => {
  const going: RunsNow = { current: CURRENT, queue: [], ended: [] };
  const told = before([{ ...going, current: null }, going, going, { current: null, queue: [], ended: [ENDED] }]);
  await desk.look();
  expect(await desk.start([{ run: 'r' } as RunRequest])).toBe(true);
  expect(desk.error).toBeNull();
  await vi.advanceTimersByTimeAsync(400);
  expect(desk.now.current).toBeNull();
  expect(told).toEqual([ENDED]);
  expect(desk.error).toBeNull();
});

it('what is asked in vain does not end the looking while a run goes', async () => {
  const going: RunsNow = { current: { ...CURRENT, id: 'a/b' }, queue: [], ended: [] };
  const told = before([going, going, { current: null, queue: [], ended: [ENDED] }]);
  await desk.look();
  expect(await desk.move('other', 0)).toBe(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(told).toEqual([ENDED]);
});
