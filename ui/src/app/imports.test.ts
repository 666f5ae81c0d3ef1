import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../ipc/client';
import type { ImportResult, Job } from '../ipc/gen';
import { createFake } from '../platform/fake';
import { FakeJobs } from '../platform/fakeJobs';
import { Jobs } from '../shared/jobs.svelte';
import { route } from '../shared/route.svelte';
import { settle } from '../shared/settleForTests';
import ImportDialog from './ImportDialog.svelte';
import { Imports } from './imports.svelte';

const RESULT: ImportResult = {
  id: '7-1',
  items: [
    {
      what: 'run',
      source: 'logs/a',
      id: 'a/20251219_113310',
      model: 'a',
      levels: ['L1'],
      outcome: 'added',
      reason: null,
      notes: [],
    },
    {
      what: 'unknown',
      source: 'x.json',
      id: null,
      model: null,
      levels: [],
      outcome: 'refused',
      reason: 'is empty',
      notes: [],
    },
  ],
  left_alone: 3,
  cancelled: false,
  seconds: 0.2,
};

const JOB = { id: RESULT.id, kind: 'import', about: ['/a'], finished: false } as unknown as Job;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  route.go('#/', { replace: true });
});

function world() {
  const asked: string[][] = [];
  let drop: (paths: string[]) => void = () => undefined;
  let over: (hovering: boolean) => void = () => undefined;
  const jobs = new FakeJobs();
  const platform = createFake({
    jobs,
    answers: {
      import_files: ({ paths }) => {
        asked.push(paths);
        return RESULT;
      },
      import_result: ({ id }) => (id === RESULT.id ? RESULT : null),
    },
    host: {
      onDrop: async (dropped, hovering) => {
        drop = dropped;
        over = hovering;
        return () => undefined;
      },
      pick: async () => ['/chosen.json'],
    },
  });
  const client = createClient(platform);
  const taken = vi.fn();
  const imports = new Imports(client, platform, taken);
  return {
    imports,
    taken,
    client,
    jobs,
    asked,
    drop: (paths: string[]) => drop(paths),
    over: (now: boolean) => over(now),
  };
}

it('what is dropped is imported, shown, and the address keeps it', async () => {
  const { imports, taken, client, jobs, asked, drop, over } = world();
  const stop = imports.begin(new Jobs(client), (begun) => () => void begun.then((end) => end()));
  jobs.tell(JOB);
  await settle();
  over(true);
  expect(imports.hovering).toBe(true);
  drop(['/a', '/b']);
  await settle();
  expect(imports.hovering).toBe(false);
  expect(asked).toEqual([['/a', '/b']]);
  expect(imports.result).toEqual(RESULT);
  expect(route.place.query['import']).toBe('7-1');
  expect(taken).toHaveBeenCalledOnce();
  imports.close();
  expect(route.place.query['import']).toBeUndefined();
  // Its job may tell its end after that, and what was closed stays closed.
  jobs.tell({ ...JOB, finished: true });
  await settle();
  expect(imports.result).toBeNull();
  stop();
});

it('a reload shows the result again, and one that nobody remembers goes from the address', async () => {
  for (const [id, shown] of [
    ['7-1', true],
    ['6-1', false],
  ] as const) {
    route.go(`#/reports?import=${id}`, { replace: true });
    const { imports, client } = world();
    imports.begin(new Jobs(client), (begun) => () => void begun.then((end) => end()))();
    await settle();
    expect(imports.result !== null).toBe(shown);
    expect(route.place.query['import']).toBe(shown ? id : undefined);
  }
});

it('a bundle alone is verified before anything of it is taken in', async () => {
  const { imports, asked } = world();
  await imports.take(['/home/me/gpt.KOAB']);
  expect(asked).toEqual([]);
  expect(location.hash).toBe('#/reports?verify=%2Fhome%2Fme%2Fgpt.KOAB');
  await imports.take(['/a.koab', '/b.koab']);
  expect(asked).toEqual([['/a.koab', '/b.koab']]);
});

it('choosing nothing imports nothing', async () => {
  const { imports, asked } = world();
  await imports.take([]);
  expect(asked).toEqual([]);
  await imports.choose('Import', false);
  expect(asked).toEqual([['/chosen.json']]);
});

it('refused files come first, with the reason; what came in is a link', async () => {
  const dialog = mount(ImportDialog, { target: document.body, props: { result: RESULT, onClose: () => undefined } });
  flushSync();
  await settle();
  const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.textContent?.replace(/\s+/g, ' ').trim());
  expect(rows[0]).toBe('RejectedUnknown file— x.json is empty');
  expect(document.querySelector('tbody a')?.getAttribute('href')).toBe('#/runs/a%2F20251219_113310');
  expect(document.body.textContent).toContain('1 added, 0 already present, 1 rejected');
  await unmount(dialog);
});
