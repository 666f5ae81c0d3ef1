// The way from a run to the transcript that is worth a look.
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import type { ReportDetail, RunTask } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { find, openScreen, screensForTests, text } from '../../shared/screenForTests';
import { task } from './example';
import First from './First.svelte';

screensForTests();

const DETAIL = {
  tasks: [{ task: 'L1-002', scores: [{ metric: 'ToolAcc', value: 0, why: null }] }],
} as unknown as ReportDetail;
const open = (query: string, tasks: RunTask[], options: FakeOptions = {}) =>
  openScreen(First as Component<never>, {
    at: `#/runs/m%2F1?part=transcripts${query}`,
    props: { run: 'm/1' },
    answers: { run_tasks: () => tasks, report_detail: () => DETAIL },
    ...options,
  });
const TASKS = [task('L1-001'), task('L1-002')];

it('leads to the first task that the report does not score in full, with that report', async () => {
  await open('&report=r&metric=ToolAcc', TASKS);
  expect(location.hash).toBe('#/runs/m%2F1/L1-002?report=r');
});

it('leads to the first task where no report is named or it cannot be read', async () => {
  await open('', TASKS);
  expect(location.hash).toBe('#/runs/m%2F1/L1-001');
  await open('&report=r', TASKS, { failing: { report_detail: { code: 'not_found', message: 'gone' } } });
  expect(location.hash).toBe('#/runs/m%2F1/L1-001');
});

it('says of a run without tasks that there are none, and leads to the run', async () => {
  await open('', []);
  expect(text()).toContain('This run has no tasks yet.');
  expect(find<HTMLAnchorElement>('a')?.hash).toBe('#/runs/m%2F1');
});
