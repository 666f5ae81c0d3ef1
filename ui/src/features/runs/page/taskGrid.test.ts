import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import type { RunEventKind } from '../../../ipc/gen';
import { find, openScreen, screensForTests } from '../../../shared/screenForTests';
import type { TaskMarks } from '../state/marks';
import { reduceAll } from '../state/reduce';
import { IDLE } from '../state/state';
import TaskGrid from './TaskGrid.svelte';

screensForTests();

const started = (repetitions: number): RunEventKind => ({
  ...{ type: 'run_started', model: 'm', pack: 'p@1', protocol: 'corrected', repetitions, concurrency: 2 },
  ...{ levels: [{ level: 'L1', tasks: ['a', 'b'] }], attempts: 2 * repetitions },
  ...{ price: null, max_cost: null, max_total_tokens: null },
});
const judged: TaskMarks = new Map([['a', { right: true, scores: [] }]]);

const ended = (repetitions: number): RunEventKind => ({
  type: 'attempts_ended',
  so_far: {
    ...{
      task: 'a',
      level: 'L1',
      ends: 'a'.repeat(repetitions),
      kept: 0,
      steps: 1,
      calls: 0,
      total_tokens: 1,
      error: null,
    },
    ...{ prompt_tokens: 1, completion_tokens: 0, unreported: 0, problems: [] },
    answers: { hit: 0, miss: 0, injected: 0, refused: 0, live: 0, overlay: 0 },
  },
});

async function legend(repetitions: number, marks?: TaskMarks): Promise<string> {
  const run = reduceAll(
    IDLE,
    [started, ended].map((kind, seq) => ({ run: 'r', seq, at_ms: 1, kind: kind(repetitions) })) as never,
  );
  await openScreen(TaskGrid as Component<never>, {
    props: { run, now: 2, id: 'r', marks },
    answers: { task_flags: () => ({}) } as never,
  });
  return find('[data-legend]')?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

it('explains only the states that occur', async () => {
  expect(await legend(1)).toBe('waitinganswered, not judged');
  expect(await legend(1, new Map([['a', { right: false, scores: [] }]]))).toBe('waitingincorrect');
});

it('several attempts that were judged are not said to be unjudged, and not to be right', async () => {
  expect(await legend(3)).toContain('answered, not judged');
  const told = await legend(3, judged);
  expect(told).not.toContain('not judged');
  expect(told).toContain('answered');
  expect(told).not.toContain('incorrect');
  expect(await legend(1, judged)).toContain('correct');
});
