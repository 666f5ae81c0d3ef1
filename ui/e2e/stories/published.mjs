// The published benchmark against the reference model server: 91 tasks, cancelled and gone on with.
import * as act from '../acts.mjs';
import { check, equal, holds } from '../report.mjs';
import { ask, inHome, openPage, replayServer, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';

export const TASKS = 91;

export async function published({ koab, browser, shared }) {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    const model = await replayServer(shared, ['--latency-ms', '20']);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    await check('91 published tasks run with live progress', async () => {
      await act.chooseServer(page, model.baseUrl, 'gpt-4o');
      await act.startRun(page);
      equal(await act.tasks(page), TASKS);
      await page.waitForFunction(() => document.querySelectorAll('[data-task][data-state="done"]').length > 3);
      const early = await act.ended(page);
      holds(early < TASKS, 'all tasks had ended before progress could be seen');
      await act.scores(page);
      equal(await act.ended(page), TASKS);
    });
    await check('a run that is cancelled half way keeps what was done', async () => {
      await act.startRun(page);
      await page.waitForFunction(() => document.querySelectorAll('[data-task][data-state="done"]').length > 3);
      await act.cancelRun(page);
      const runs = await command(koab, home, 'runs', 'list');
      const cancelled = (runs.runs ?? runs).filter(({ complete }) => !complete);
      equal(cancelled.length, 1);
    });
    await check('it is gone on with, and asks only what was left', async () => {
      const before = await act.inState(page, 'done');
      await act.resumeRun(page, model.baseUrl);
      holds((await act.ended(page)) >= before, 'what was done is done again');
      // The score table of what was there before the resumed run stays until the new one is there.
      while ((await ask(page, 'app_info')).current_run) await page.waitForTimeout(100);
      await act.scores(page);
      equal(await act.ended(page), TASKS);
      const runs = await command(koab, home, 'runs', 'list');
      equal((runs.runs ?? runs).filter(({ complete }) => !complete).length, 0);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
    await model.stop();
  });
}
