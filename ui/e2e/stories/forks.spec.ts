// A step of a transcript is forked with another result; both ways stand side by side; the fork is in no list of runs.
import * as act from '../acts.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const TASK = 'L3-001';
const RESULT = '{"latitude": 35.1, "longitude": 129.1, "marked": 9007199254740993}';

story('forks', async ({ koab, browser }) => {
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
      await expect(page.locator('#fork-start')).toBeDisabled();
      await page.locator('[data-message] textarea').fill(RESULT);
      await page.locator('[data-fork-plan]').waitFor();
    });
    await check('the fork opens beside its original, with the change in every digit and the mark', async () => {
      await page.locator('#fork-start').click();
      await page.locator('[data-fork-answer]').waitFor();
      await expect(page.locator('[data-fork-changes]'), 'a digit was lost').toContainText('9007199254740993');
      await expect(page.locator('[data-fork-mark]').first(), 'no mark').toContainText('Fork');
      await expect(page.locator('[data-fork-differing]')).toHaveAttribute('data-fork-differing', /^[1-9]\d*$/);
    });
    await check('a reload shows the same', async () => {
      const answer = await page.locator('[data-fork-answer]').innerText();
      const differing = await page.locator('[data-fork-differing]').getAttribute('data-fork-differing');
      await page.reload();
      await expect(page.locator('[data-fork-answer]')).toHaveText(answer, { useInnerText: true });
      await expect(page.locator('[data-fork-changes]')).toContainText('9007199254740993');
      await expect(page.locator('[data-fork-differing]')).toHaveAttribute('data-fork-differing', differing);
    });
    await check('the transcript lists it, and the list of runs does not', async () => {
      await page.locator('#back').click();
      await page.locator('[data-forks] [data-fork]').waitFor();
      equal((await command(koab, home, 'runs', 'list')).length, 1);
    });
    await check('a deleted one can be brought back', async () => {
      await page.locator('[data-forks] [data-fork] a').click();
      await page.locator('#fork-delete').click();
      await page.locator('[data-fork-page]').waitFor({ state: 'detached' });
      await page.locator('#undo-delete').click();
      await page.locator('[data-forks] [data-fork] a').click();
      await page.locator('#fork-delete').waitFor();
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await server.stop();
    await context.close();
  });
});
