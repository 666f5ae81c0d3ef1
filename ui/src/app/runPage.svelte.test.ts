import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '../ipc/client';
import type { CurrentRun, EndedRun, Job, RunsNow, RunSummary } from '../ipc/gen';
import { FakeJobs } from '../platform/fakeJobs';
import { IDLE } from '../features/runs/state/state';
import { Jobs } from '../shared/jobs.svelte';
import { at, route } from '../shared/route.svelte';
import { RunOnPage, type SessionOfRun } from './runPage.svelte';

const ID = 'm/1';
const LISTED = {
  id: ID,
  complete: false,
  held_by: null,
  resume: null,
  status: { here: false },
} as unknown as RunSummary;
const CURRENT = { run: 'asked', id: ID, scoring: false, by_hand: null } as CurrentRun;
const ENDED = { run: 'asked', id: ID, error: null } as EndedRun;
const SCORING = { id: 'e-1', kind: 'evaluation', about: [ID], finished: false, error: null } as unknown as Job;

let leave = () => {};
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  leave();
  vi.useRealTimers();
});

/** The page of a run; `read` is what the list of runs has when it is read again. */
function open({ runs = [], read = runs, id = ID }: { runs?: RunSummary[]; read?: RunSummary[]; id?: string }) {
  route.go(at('runs', id), { replace: true });
  let list = $state.raw(runs);
  let now = $state.raw<RunsNow>({ current: null, queue: [], ended: [] });
  const fake = new FakeJobs();
  const asked: string[] = [];
  const client = {
    call: vi.fn(async (command: string) => {
      asked.push(command);
      return command === 'run_replay' ? { run: ID, events: [], finished: false } : null;
    }),
    report: vi.fn(async () => (asked.push('report'), null)),
    watchJobs: async (heard: (jobs: Job[]) => void) => heard(fake.subscribe(heard)),
    cancelRun: vi.fn(async () => null),
  };
  const cancel = vi.fn(async () => true);
  const session = {
    get runs() {
      return list;
    },
    queue: {
      get now() {
        return now;
      },
      live: { run: 'asked', state: IDLE },
      cancel,
    },
    resumed: new Map(),
    readRuns: vi.fn(async () => {
      await Promise.resolve();
      list = read;
    }),
  };
  let page!: RunOnPage;
  leave = $effect.root(() => {
    const jobs = new Jobs(client as unknown as Client);
    page = new RunOnPage(
      session as unknown as SessionOfRun,
      client as unknown as Client,
      jobs,
      () => route.place.rest[0]!,
    );
  });
  flushSync();
  const settle = async (ms = 0) => {
    await vi.advanceTimersByTimeAsync(ms);
    flushSync();
  };
  return {
    page,
    asked,
    session,
    client,
    cancel,
    settle,
    tell: async (...jobs: Job[]) => (fake.tell(...jobs), settle()),
    queue: async (change: Partial<RunsNow>) => ((now = { ...now, ...change }), settle()),
    list: async (runs: RunSummary[]) => ((list = runs), settle()),
  };
}

it('that is in no list is looked for once in a newer one', async () => {
  const made = open({ read: [LISTED] });
  expect(made.page.unknown).toBeUndefined();
  await made.settle();
  expect([made.page.unknown, made.page.kept]).toEqual([false, ID]);
  const gone = open({});
  await gone.settle();
  expect(gone.page.unknown).toBe(true);
  await gone.list([]);
  expect(gone.session.readRuns).toHaveBeenCalledOnce();
});

it('is read when it is known and not under way, and again at its end', async () => {
  const { asked, queue, page } = open({ runs: [LISTED] });
  expect(asked).toEqual(['run_replay', 'report']);
  await queue({ current: CURRENT });
  expect([page.going, page.shown]).toEqual([true, IDLE]);
  expect(asked).toHaveLength(2);
  await queue({ current: { ...CURRENT, scoring: true } });
  expect([page.going, page.scoring, asked.length]).toEqual([false, true, 2]);
  await queue({ current: null, ended: [ENDED] });
  expect(asked.slice(2)).toEqual(['run_replay', 'report']);
});

it('is named in the address by what stays after a restart', async () => {
  const { queue, page } = open({ id: 'asked' });
  route.put({ part: 'misses' });
  await queue({ current: CURRENT });
  expect(page.current?.id).toBe(ID);
  expect(location.hash).toBe('#/runs/m%2F1?part=misses');
});

it('of another process is looked at until the page is left', async () => {
  const held = { ...LISTED, held_by: 7 };
  const { asked, page, settle } = open({ runs: [held] });
  await settle(2_000);
  expect(page.maker).toBe(7);
  expect(asked.filter((command) => command === 'run_replay')).toHaveLength(3);
  leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.filter((command) => command === 'run_replay')).toHaveLength(3);
});

it('that another page scored is read again, and says why that failed', async () => {
  const { asked, page, tell } = open({ runs: [LISTED] });
  await tell(SCORING);
  expect(page.scoring).toBe(true);
  await tell({ ...SCORING, finished: true, error: { code: 'no_access', message: 'no key' } });
  expect(page.scoring).toBe(false);
  expect(page.opened.error?.message).toBe('no key');
  expect(asked.filter((command) => command === 'report')).toHaveLength(2);
  // Of another run.
  await tell({ ...SCORING, id: 'e-2', about: ['m/2'] }, { ...SCORING, id: 'e-2', about: ['m/2'], finished: true });
  expect(asked.filter((command) => command === 'report')).toHaveLength(2);
});

it('stops a scoring where it was begun: in the queue, or on this page', async () => {
  const { page, queue, cancel, client } = open({ runs: [LISTED] });
  await queue({ current: { ...CURRENT, scoring: true } });
  page.stopScoring();
  expect(cancel).toHaveBeenCalledWith('asked');
  await queue({ current: null });
  page.stopScoring();
  expect(client.cancelRun).toHaveBeenCalledWith(ID);
});
