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

async function legend(repetitions: number, marks?: TaskMarks): Promise<string> {
  const run = reduceAll(IDLE, [{ run: 'r', seq: 1, at_ms: 1, kind: started(repetitions) }] as never);
  await openScreen(TaskGrid as Component<never>, {
    props: { run, now: 2, id: 'r', marks },
    answers: { task_flags: () => ({}) } as never,
  });
  return find('[data-legend]')?.textContent?.replace(/\s+/g, ' ') ?? '';
}

it('several attempts that were judged are not said to be unjudged, and not to be right', async () => {
  expect(await legend(3)).toContain('answered, not judged');
  const told = await legend(3, judged);
  expect(told).not.toContain('not judged');
  expect(told).toContain('answered');
  expect(told).not.toContain('incorrect');
  expect(await legend(1, judged)).toContain('incorrect');
});
