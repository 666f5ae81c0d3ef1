// The published benchmark against the reference model server: 91 tasks, cancelled and gone on with.
import * as act from '../acts.mjs';
import { check, equal, holds } from '../report.mjs';
import { ask, inHome, openPage, replayServer, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';

export const TASKS = 91;

/** Whether a task of a run has ended. */
const over = ({ status }) => status === 'answered' || status === 'unanswered';

const steps = (tasks) => tasks.reduce((sum, task) => sum + task.steps, 0);

export async function published({ koab, browser, shared }) {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    const model = await replayServer(shared, ['--latency-ms', '20']);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const tasksOf = (run) => ask(page, 'run_tasks', { run });
    const listed = async () => {
      const runs = await command(koab, home, 'runs', 'list');
      return runs.runs ?? runs;
    };
    await check('91 published tasks run with live progress, and the model is asked once a step', async () => {
      await act.chooseServer(page, model.baseUrl, 'gpt-4o');
      await act.startRun(page);
      equal(await act.tasks(page), TASKS);
      await page.waitForFunction(() => document.querySelectorAll('[data-task][data-state="done"]').length > 3);
      const early = await act.ended(page);
      holds(early < TASKS, 'all tasks had ended before progress could be seen');
      await act.scores(page);
      equal(await act.ended(page), TASKS);
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
      await act.startRun(page);
      await page.waitForFunction(() => document.querySelectorAll('[data-task][data-state="done"]').length > 3);
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
      await act.resumeRun(page, model.baseUrl);
      // The score table of what was there before the resumed run stays until the new one is there.
      while ((await ask(page, 'app_info')).current_run) await page.waitForTimeout(100);
      await act.scores(page);
      equal(await act.ended(page), TASKS);
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
    await model.stop();
  });
}
