import type { Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { DriftTotals, RunDrift } from '../../../ipc/gen';
import { at } from '../../../shared/route.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../../shared/screenForTests';
import RunDriftSection from './RunDrift.svelte';

screensForTests();

const none: DriftTotals = {
  calls: 0,
  same: 0,
  differs: 0,
  missing: 0,
  found: 0,
  still_missing: 0,
  error_then: 0,
  injected: 0,
  not_kept: 0,
};
const totals = { ...none, calls: 3, same: 1, differs: 2 };
const drift = (of: Partial<RunDrift>): RunDrift => ({
  run: 'm/1',
  pack: 'starter@1.0.0',
  against: { state: 'pack', pack: 'starter', version: '1.0.0', hash: null },
  totals,
  tools: [{ tool: 'CarRoute_tmap', totals }],
  tasks: [
    { task: 'L1-001', level: 'L1', repetition: 1, totals, calls: [] },
    { task: 'L1-002', level: 'L1', repetition: 1, totals: { ...none, calls: 1, same: 1 }, calls: [] },
  ],
  ...of,
});
const open = (answer: () => RunDrift) =>
  openScreen(RunDriftSection as Component<never>, {
    at: at('runs', 'm/1'),
    props: { run: 'm/1' },
    answers: { drift: answer },
  });

it('a run is compared with a state when it is asked for, and leads to the tasks that differ', async () => {
  const asked = vi.fn(() => drift({}));
  await open(asked);
  expect(asked).not.toHaveBeenCalled();
  find('#run-drift')?.click();
  await settle();
  expect(asked).toHaveBeenCalledWith({ run: 'm/1', against: 'pack', task: null });
  expect(text()).toContain('Compared with starter@1.0.0');
  expect(find('[data-tool="CarRoute_tmap"]')?.textContent).toContain('3');
  expect(document.querySelectorAll('[data-task]')).toHaveLength(1);
  expect(find('[data-task="L1-001"] a')?.getAttribute('href')).toBe('#/runs/m%2F1/L1-001?drift=pack&repetition=1');
});

it('a run without calls, and one without drift, say so', async () => {
  await open(() => drift({ totals: none, tools: [], tasks: [] }));
  find('#run-drift')?.click();
  await settle();
  expect(text()).toContain('The run made no tool calls.');
  await open(() => drift({ totals: { ...none, calls: 1, same: 1 }, tasks: [] }));
  find('#run-drift')?.click();
  await settle();
  expect(text()).toContain('No result differs.');
});
