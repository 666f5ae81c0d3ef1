import type { Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import { find, openScreen, screensForTests, text } from '../../../shared/screenForTests';
import RunConduct from './RunConduct.svelte';

screensForTests();

const conduct = {
  attempts: 2,
  asked: {
    model_calls: 9,
    side_calls: 0,
    own_calls: 4,
    own_tools: [
      { name: 'shell', calls: 3 },
      { name: 'web', calls: 1 },
    ],
    unmade: 1,
    changed: 0,
    by_agent: 0,
  },
  startup_s: null,
  hosts: ['a.example', 'b.example'],
  hosts_of_run: false,
  after_end: 2,
  outlived: 0,
  unread: 0,
};

const open = (run_conduct: () => unknown) =>
  openScreen(RunConduct as Component<never>, { props: { run: 'm/1' }, answers: { run_conduct } as never });

it('sums what the agent of a run did, and leaves out what did not happen', async () => {
  await open(() => conduct);
  const facts = [...document.querySelectorAll('[data-conduct] dd')].map((fact) => fact.textContent?.trim());
  expect(facts).toEqual(['4 (shell 3, web 1)', '1', '2', 'a.example, b.example']);
});

it('says of how many attempts something is unknown', async () => {
  await open(() => ({ ...conduct, hosts: null, after_end: 0, unread: 3 }));
  const facts = [...document.querySelectorAll('[data-conduct] dd')].map((fact) => fact.textContent?.trim());
  expect(facts).toEqual(['4 (shell 3, web 1)', '1', '3']);
  expect(text()).toContain('Attempts with unknown hosts, late calls and leftovers');
});

it('shows nothing where there was no agent', async () => {
  const run_conduct = vi.fn(() => null);
  await open(run_conduct);
  expect(run_conduct).toHaveBeenCalledOnce();
  expect(find('[data-conduct]')).toBeNull();
  expect(text().trim()).toBe('');
});
