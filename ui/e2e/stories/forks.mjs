// A step of a transcript is forked with another result; both ways stand side by side; the fork is in no list of runs.
import * as act from '../acts.mjs';
import { check, equal, holds } from '../report.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';

const TASK = 'L3-001';
const RESULT = '{"latitude": 35.1, "longitude": 129.1, "marked": 9007199254740993}';

export async function forks({ koab, browser }) {
  await inHome(async (home) => {
    await command(koab, home, 'run', '--model', 'baseline/golden', '--tasks', TASK);
    const [{ id: run }] = await command(koab, home, 'runs', 'list');
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    await check('each step of a transcript leads to its fork', async () => {
      await act.go(page, `#/runs/${encodeURIComponent(run)}/${TASK}`);
      await page.locator('[data-fork-step="1"]').click();
      await page.locator('[data-message] input[value="result"]').first().waitFor();
    });
    await check('what is not JSON cannot be started with', async () => {
      await page.locator('[data-message] input[value="result"]').last().check();
      await page.locator('[data-message] textarea').fill('{');
      equal(await page.locator('#fork-start').isDisabled(), true);
      await page.locator('[data-message] textarea').fill(RESULT);
      await page.locator('[data-fork-plan]').waitFor();
    });
    await check('the fork opens beside its original, with the change in every digit and the mark', async () => {
      await page.locator('#fork-start').click();
      await page.locator('[data-fork-answer]').waitFor();
      holds((await page.locator('[data-fork-changes]').innerText()).includes('9007199254740993'), 'a digit was lost');
      holds((await page.locator('[data-fork-mark]').first().innerText()).includes('Fork'), 'no mark');
      equal((await page.locator('[data-fork-differing]').getAttribute('data-fork-differing')) === '0', false);
    });
    await check('a reload shows the same', async () => {
      await page.reload();
      await page.locator('[data-fork-answer]').waitFor();
    });
    await check('the transcript lists it, and the list of runs does not', async () => {
      await page.locator('#back').click();
      await page.locator('[data-forks] [data-fork]').waitFor();
      equal((await command(koab, home, 'runs', 'list')).length, 1);
    });
    await check('a deleted one can be brought back', async () => {
      await page.locator('[data-forks] [data-fork] a').click();
      await page.locator('#fork-delete').click();
      await page.locator('[data-fork-page] [role="status"] button').click();
      await page.locator('#fork-delete').waitFor();
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await server.stop();
    await context.close();
  });
}
