import type { Component } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import type { CallDrift, RunDrift } from '../../ipc/gen';
import { at, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import { locale } from '../../shared/locale.svelte';
import { attempt, call, said, task, transcript } from './example';
import Screen from './Screen.svelte';

screensForTests();
beforeEach(() => locale.choose('en'));

const totals = {
  calls: 3,
  same: 0,
  differs: 1,
  missing: 1,
  found: 0,
  still_missing: 0,
  error_then: 0,
  injected: 1,
  not_kept: 0,
};
const held = (call: number, kind: CallDrift['kind'], more: Partial<CallDrift> = {}): CallDrift => ({
  call,
  step: 1,
  tool: 'CarRoute_tmap',
  arguments: { endX: 126 },
  kind,
  error: null,
  reason: null,
  recorded_at: null,
  origin: null,
  places: null,
  ...more,
});
const DRIFT: RunDrift = {
  run: 'm/1',
  pack: 'starter@1.0.0',
  against: { state: 'pack', pack: 'starter', version: '1.0.0', hash: null },
  totals,
  tools: [{ tool: 'CarRoute_tmap', totals }],
  tasks: [
    {
      task: 'L1-001',
      level: 'L1',
      repetition: 1,
      totals,
      calls: [
        held(0, 'differs', {
          recorded_at: '2025-11-01T00:00:00.000001',
          places: { total: 1, shown: [{ path: 'features[0].totalTime', then: '1022', now: '998' }] },
        }),
        held(1, 'missing', { reason: 'no cached response' }),
        held(2, 'injected', { error: 'Request timeout' }),
      ],
    },
  ],
};

const props = { run: 'm/1', task: 'L1-001' };
const answers = (drift: () => RunDrift) => ({
  drift,
  snapshots_all: () => [],
  run_tasks: () => [task('L1-001')],
  transcript: () => transcript(attempt([call('CarRoute_tmap', {})], '답')),
  verdicts_of_task: () => said([]),
});

it('a task shows in place of its conversation the outcome of each result', async () => {
  const drift = vi.fn(() => DRIFT);
  await openScreen(Screen as Component<never>, { at: at('runs', 'm/1', 'L1-001'), props, answers: answers(drift) });
  find('#drift')?.click();
  await settle();
  expect(route.place.query).toEqual({ drift: 'pack' });
  expect(drift).toHaveBeenCalledWith({ run: 'm/1', against: 'pack', task: 'L1-001' });
  const kinds = [...document.querySelectorAll<HTMLElement>('[data-drift-call]')].map((one) => one.dataset['driftCall']);
  expect(kinds).toEqual(['differs', 'missing', 'injected']);
  for (const shown of [
    'features[0].totalTime',
    '1022',
    '998',
    'no cached response',
    'Request timeout',
    'cached 2025-11-01 00:00',
  ])
    expect(text()).toContain(shown);
  await put('#task-drift-against', 'now');
  expect(drift).toHaveBeenLastCalledWith({ run: 'm/1', against: 'now', task: 'L1-001' });
  find('#drift')?.click();
  await settle();
  expect(route.place.query).toEqual({});
  expect(document.querySelectorAll('[data-drift-call]')).toHaveLength(0);
});

it('why it cannot be told is said', async () => {
  const failing = { drift: { code: 'not_found', message: 'there is no snapshot `x`' } as const };
  await openScreen(Screen as Component<never>, {
    at: at('runs', 'm/1', 'L1-001', { drift: 'x' }),
    props,
    answers: answers(() => DRIFT),
    failing,
  });
  expect(text()).toContain('there is no snapshot');
  expect(find<HTMLSelectElement>('#task-drift-against')?.value).toBe('x');
});
