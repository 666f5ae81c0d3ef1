// The published benchmark against the reference model server: 91 tasks, cancelled and gone on with.
import * as act from '../acts.mjs';
import { holding } from '../holding.mjs';
import { until } from '../settled.mjs';
import { ask, inHome, openPage, replayServer, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const TASKS = 91;
/** Requests that are answered before the checks on a running run: some tasks have ended by then. */
const FIRST = 120;

/** Whether a task of a run has ended. */
const over = ({ status }) => status === 'answered' || status === 'unanswered';

const steps = (tasks) => tasks.reduce((sum, task) => sum + task.steps, 0);

sharedStory('published', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    const model = await replayServer(shared);
    const held = await holding(model.baseUrl);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const tasksOf = (run) => ask(page, 'run_tasks', { run });
    const listed = async () => {
      const runs = await command(koab, home, 'runs', 'list');
      return runs.runs ?? runs;
    };
    await check('91 published tasks run with live progress, and the model is asked once a step', async () => {
      await act.chooseServer(page, held.baseUrl, 'gpt-4o');
      held.gate.hold(FIRST);
      await act.startRun(page);
      await expect.poll(() => act.tasks(page)).toBe(TASKS);
      await expect.poll(() => act.inState(page, 'done')).toBeGreaterThan(3);
      await expect.poll(() => held.gate.held()).toBeGreaterThan(0);
      const early = await act.ended(page);
      holds(early < TASKS, 'the page shows all tasks as ended while questions are held');
      held.gate.open();
      await act.scores(page);
      await expect.poll(() => act.ended(page)).toBe(TASKS);
      const [run] = await listed();
      equal(steps(await tasksOf(run.id)), await model.requests());
    });
    /** The cancelled run's tasks that had ended. */
    let kept = [];
    let run;
    /** What the model had been asked before that run. */
    let asked;
    await check('a run that is cancelled half way keeps what was done', async () => {
      asked = await model.requests();
      held.gate.hold(FIRST);
      await act.startRun(page);
      await expect.poll(() => act.inState(page, 'done')).toBeGreaterThan(3);
      await expect.poll(() => held.gate.held()).toBeGreaterThan(0);
      const seen = await act.tasksIn(page, 'done');
      await act.cancelRun(page);
      const cancelled = (await listed()).filter(({ complete }) => !complete);
      equal(cancelled.length, 1);
      run = cancelled[0];
      kept = (await tasksOf(run.id)).filter(over);
      equal(
        seen.filter((id) => !kept.some((task) => task.id === id)),
        [],
        'tasks that were done and are lost',
      );
      equal([run.status.outcome, run.status.planned, run.status.done], ['cancelled', TASKS, kept.length]);
      holds(kept.length < TASKS, 'nothing was left when it was cancelled');
      const shown = [...(await act.tasksIn(page, 'done')), ...(await act.tasksIn(page, 'unanswered'))];
      equal(shown.sort(), kept.map(({ id }) => id).sort(), 'tasks that the page shows as ended');
    });
    await check('it is gone on with, and asks only what was left', async () => {
      held.gate.open();
      await act.resumeRun(page, held.baseUrl);
      // The score table of what was there before the resumed run stays until the new one is there.
      await until(page, 'the run is over', async () => !(await ask(page, 'app_info')).current_run);
      await act.scores(page);
      await expect.poll(() => act.ended(page)).toBe(TASKS);
      equal((await listed()).filter(({ complete }) => !complete).length, 0);
      const now = await tasksOf(run.id);
      const was = new Map(kept.map((task) => [task.id, task]));
      // To the millisecond as they were: who had made them again would have taken another time for some.
      const [again, rest] = [now.filter(({ id }) => was.has(id)), now.filter(({ id }) => !was.has(id))];
      equal(again, kept, 'tasks that had ended before');
      // A step is asked once, but for those that were in flight when the run was cancelled: one an attempt at most.
      const twice = (await model.requests()) - asked - steps(now);
      holds(twice >= 0 && twice <= rest.length, `${twice} steps were asked twice, with ${rest.length} tasks left`);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
    held.stop();
    await model.stop();
  });
});
