import type { Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { ScenarioRemote } from '../../ipc/gen';
import { at } from '../../shared/route.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../shared/screenForTests';
import RemotePanel from './RemotePanel.svelte';

screensForTests();

const shard = { node: null, reason: null, restarts: 0, trials: 6, finished: 0 };
const remote = (of: Partial<ScenarioRemote>): ScenarioRemote => ({
  results: '/results',
  engine: 'slurm',
  jobs: ['42'],
  active: false,
  silent: null,
  may_work: false,
  trials: 12,
  finished: 6,
  shards: [
    { ...shard, index: 0, state: 'done', finished: 6 },
    { ...shard, index: 1, state: 'failed', node: 'n1', reason: 'the disk is full' },
  ],
  folder: '/results/.cluster/1',
  ...of,
});
const open = (of: Partial<ScenarioRemote>, answers: object = {}) => {
  const onAsk = vi.fn(async () => undefined);
  return openScreen(RemotePanel as Component<never>, {
    at: at('scenarios'),
    props: { remote: remote(of), folder: '/results', onAsk },
    answers: answers as never,
  });
};

it('shows what the workers of a shard wrote', async () => {
  const log = vi.fn(() => ({ shard: 1, text: 'no space left', cut: true, path: '/results/.cluster/1/cluster/1.log' }));
  await open({}, { scenario_remote_log: log });
  expect(text()).toContain('Shards: done 1, failed 1');
  expect(find('[data-log="1"]')?.closest('tr')?.textContent).toContain('the disk is full');
  find('[data-log="1"]')?.click();
  await settle();
  expect(log.mock.calls[0]).toEqual([{ folder: '/results', shard: 1 }]);
  expect(document.querySelector('[data-log-text]')?.textContent).toBe('no space left');
});

it('hands over again what is not finished, and nothing that workers may be at', async () => {
  const resume = vi.fn(() => remote({ active: true }));
  await open({}, { scenario_remote_resume: resume });
  find('#scenario-cluster-resume')?.click();
  await settle();
  expect(resume.mock.calls[0]).toEqual([{ folder: '/results' }]);
  await open({ silent: 'it does not answer', may_work: true });
  expect((find('#scenario-cluster-resume') as HTMLButtonElement | null)?.disabled).toBe(true);
  await open({ finished: 12 });
  expect(find('#scenario-cluster-resume')).toBeNull();
});
