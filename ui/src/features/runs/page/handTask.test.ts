import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import { toWireError } from '../../../ipc/errors';
import { find, openScreen, put, screensForTests, settle, text } from '../../../shared/screenForTests';
import HandTask from './HandTask.svelte';

screensForTests();

const task = { task: 'L1-001', address: 'http://127.0.0.1:9/mcp/token', prompt: '첫 줄\n둘째 줄' };
const open = (run_answer: (args: unknown) => unknown) =>
  openScreen(HandTask as Component<never>, {
    props: { run: 'one', task },
    answers: { run_answer } as never,
  });

it('shows what is to be carried, and gives an answer only when there is one', async () => {
  const given: unknown[] = [];
  await open((args) => {
    given.push(args);
    return null;
  });
  expect(find('[data-hand-address]')?.textContent).toBe(task.address);
  expect(find('[data-hand-prompt]')?.textContent).toBe(task.prompt);
  const give = find<HTMLButtonElement>('#hand-give');
  expect(give?.disabled).toBe(true);
  await put('#hand-answer', '답변');
  give?.click();
  await settle();
  find('#hand-none')?.click();
  await settle();
  expect(given).toEqual([
    { run: 'one', answer: '답변' },
    { run: 'one', answer: null },
  ]);
});

it('says why an answer came too late', async () => {
  await open(() => {
    throw toWireError({ code: 'not_found', message: 'nothing waits any more' });
  });
  find('#hand-none')?.click();
  await settle();
  expect(text()).toContain('nothing waits any more');
});
