import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import type { RemoteRun, RunSummary } from '../../../ipc/gen';
import { at } from '../../../shared/route.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../../shared/screenForTests';
import RemotePanel from './RemotePanel.svelte';

screensForTests();

const run = {
  id: 'm/1',
  model: 'm',
  protocol: 'leaderboard',
  complete: false,
  remote: 'slurm',
} as unknown as RunSummary;
const shard = { node: null, reason: null, restarts: 0, planned: 20, done: 0 };
const remote = (of: Partial<RemoteRun>): RemoteRun => ({
  run: 'm/1',
  work: 'attempts',
  engine: 'slurm',
  jobs: ['11', '42'],
  at_once: 2,
  submitted_ms: 0,
  active: true,
  merging: false,
  silent: null,
  shards: [
    { ...shard, index: 0, state: 'done', done: 20 },
    { ...shard, index: 1, state: 'running', node: 'n2', done: 5 },
    { ...shard, index: 2, state: 'failed', node: 'n1', reason: 'the disk is full' },
    { ...shard, index: 3, state: 'waiting' },
  ],
  states: { done: 1, running: 1, waiting: 1, failed: 1, cancelled: 0, unknown: 0 },
  nodes: ['n2'],
  planned: 80,
  done: 25,
  failed: 0,
  tokens: 1200,
  usd: 0.5,
  max_cost: 2,
  max_total_tokens: null,
  rate_limits: 3,
  ...of,
});
const open = (answers: Record<string, unknown>, props: object = {}) =>
  openScreen(RemotePanel as Component<never>, {
    at: at('runs', 'm/1'),
    props: { run, ...props },
    answers: answers as never,
  });

it('shows the shards of a run on a cluster by how they stand, and those that say something as rows', async () => {
  await open({ run_remote: () => remote({}) });
  expect(find('[data-remote] h2')?.textContent).toBe('Running on the cluster');
  expect(text()).toContain('Slurm, job 42');
  const states = [...document.querySelectorAll('[data-shard]')].map((cell) => cell.getAttribute('data-state'));
  expect(states).toEqual(['done', 'running', 'failed', 'waiting']);
  expect(find('[data-shards]')?.getAttribute('aria-label')).toBe('Shards: done 1, running 1, waiting 1, failed 1');
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')]
      .map((cell) => cell.textContent)
      .filter(Boolean)
      .join(' '),
  );
  expect(rows).toEqual(['2 failed n1 0/20 0 the disk is full Log', '1 running n2 5/20 0 Log']);
  expect(text()).toContain('$0.50 of $2.00');
});

it('cancels after a question, and offers the rest once nobody works', async () => {
  let ended = false;
  const asked: string[] = [];
  const now = () =>
    ended
      ? remote({ active: false, states: { done: 1, running: 0, waiting: 0, failed: 1, cancelled: 2, unknown: 0 } })
      : remote({});
  await open({
    run_remote: now,
    remote_cancel: () => {
      ended = true;
      asked.push('cancel');
      return now();
    },
    remote_submit: ({ request, how }: { request: { resume: string }; how: { engine: string } }) => {
      asked.push(`${request.resume} on ${how.engine}`);
      return remote({});
    },
  });
  find('#cluster-cancel')?.click();
  await settle();
  expect(asked).toEqual([]);
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(find('[data-remote] h2')?.textContent).toBe('No workers on the cluster');
  find('#cluster-resume')?.click();
  await settle();
  expect(asked).toEqual(['cancel', 'm/1 on slurm']);
});

it('says of a cluster that does not answer that nothing is known, and not that shards wait', async () => {
  const shards = [
    { ...shard, index: 0, state: 'done' as const, done: 20 },
    { ...shard, index: 1, state: 'unknown' as const, done: 5 },
  ];
  const states = { done: 1, running: 0, waiting: 0, failed: 0, cancelled: 0, unknown: 1 };
  await open({
    run_remote: () => remote({ active: false, silent: 'Slurm does not answer: down', shards, states, nodes: [] }),
  });
  expect(find('[data-remote] h2')?.textContent).toBe('The cluster does not answer');
  expect(find('[data-shards]')?.getAttribute('aria-label')).toBe('Shards: done 1, unknown 1');
  expect(text()).toContain('Slurm does not answer: down');
});

it('counts answers where workers ask judges, and cancels those', async () => {
  const asked: unknown[] = [];
  await open(
    {
      run_remote: ({ work }: { work: string }) => {
        asked.push(work);
        return remote({ work: 'judging' });
      },
      remote_cancel: ({ work }: { work: string }) => {
        asked.push(`cancel ${work}`);
        return remote({ work: 'judging', active: false });
      },
    },
    { work: 'judging' },
  );
  expect(find('[data-remote] h2')?.textContent).toBe('Judging: Running on the cluster');
  expect(text()).toContain('25 of 80 answers');
  find('#judging-cancel')?.click();
  await settle();
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(asked).toContain('cancel judging');
  expect(asked).not.toContain('attempts');
});

it('hands what judges still have to answer over again', async () => {
  const asked: unknown[] = [];
  const states = { done: 1, running: 0, waiting: 0, failed: 1, cancelled: 2, unknown: 0 };
  let done = 25;
  await open(
    {
      run_remote: () => remote({ work: 'judging', active: false, states, done }),
      judging_resume: ({ run: of, how }: { run: string; how: { engine: string } }) => {
        asked.push(`${of} on ${how.engine}`);
        done = 80;
        return remote({ work: 'judging' });
      },
    },
    { work: 'judging' },
  );
  expect(find('#cluster-merge')).toBeNull();
  find('#judging-resume')?.click();
  await settle();
  expect(asked).toEqual(['m/1 on slurm']);
  expect(find('#judging-resume')).toBeNull();
});

it('opens the log of a failed shard', async () => {
  await open({
    run_remote: () => remote({}),
    remote_log: ({ shard }: { shard: number }) => ({
      run: 'm/1',
      shard,
      text: 'koab: the disk is full\n',
      cut: false,
      path: '/r/cluster/2.log',
    }),
  });
  find('[data-log="2"]')?.click();
  await settle();
  expect(find('[data-log-text]')?.textContent).toBe('koab: the disk is full\n');
});
