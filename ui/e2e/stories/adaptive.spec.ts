// An adaptive run in the window: planned in the form of a run, followed to its estimate, which names the run that it
// estimates and is never handed in; its tasks lead to transcripts, and the command line's are in the same list.
import * as act from '../acts.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { adaptiveRun, command, reportsOf } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const TASKS = 28;
const PLAN = '[data-adaptive-plan]';

story('adaptive', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const model = await scripted();
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    let id;

    await check('without reports of other models the plan says what is missing', async () => {
      await act.draftAdaptive(page, model.baseUrl, 'skill-5');
      await page.locator(`${PLAN} [role="alert"]`, { hasText: '0 reports' }).waitFor();
    });
    await check('with them it says how many tasks it expects', async () => {
      await reportsOf(koab, home, model.baseUrl, [3, 4, 6, 7]);
      await page.locator('#half-width').fill('10');
      await page.locator(`${PLAN} [data-expected]`).waitFor();
      const expected = Number(await page.locator(`${PLAN} [data-expected]`).getAttribute('data-expected'));
      holds(expected >= 20 && expected < TASKS, `${expected} tasks`);
    });
    await check('a width that is none is said and begins nothing', async () => {
      await page.locator('#half-width').fill('60');
      await page.locator('#run').click();
      const said = page.locator('form [role="alert"]', { hasText: 'Half width: enter points above 0 and below 50.' });
      await expect(said.first()).toBeVisible();
      equal(await ask(page, 'adaptive_list'), []);
      await page.locator('#half-width').fill('10');
    });
    await check('it ends with an estimate of the run of all tasks', async () => {
      await page.locator('#run').click();
      await page.locator('[data-estimate="reached"]').waitFor({ timeout: 120_000 });
      [{ id }] = await ask(page, 'adaptive_list');
      const { found } = await ask(page, 'adaptive_show', { id });
      holds(found.half_width <= 0.1 && found.asked >= 20 && found.asked < TASKS, JSON.stringify(found));
      for (const part of [found.mean.toFixed(4), found.half_width.toFixed(3), `all ${TASKS} tasks`, 'submissions'])
        await expect(page.locator('#main')).toContainText(part);
      await expect(page.locator('[data-task]')).toHaveCount(found.asked);
    });
    await check('a task leads to its transcript, and its run says what it is a part of', async () => {
      await page.locator('[data-task]').first().click();
      await page.locator('#main article[data-turn]').first().waitFor();
      await act.go(page, `#/adaptive/${id}`);
      await page.locator('[data-run]').first().click();
      await page.locator(`[data-part-of="${id}"]`).waitFor();
      await act.go(page, '#/runs');
      await page.locator('[data-run-part="adaptive"]').first().waitFor();
    });
    await check('cancelled, it keeps what it knows and says that it ended early', async () => {
      model.gate.hold();
      await act.go(page, '#/runs?new=1');
      await page.locator(`${PLAN} [data-expected]`).waitFor();
      await page.locator('#run').click();
      await page.locator('#cancel-adaptive').click();
      await page.locator('[data-stopped]').waitFor();
      model.gate.open();
      equal((await ask(page, 'adaptive_list')).length, 2);
    });
    await check('the list has those of the command line', async () => {
      await adaptiveRun(koab, home, model.baseUrl, 5);
      await act.go(page, '#/adaptive');
      await expect(page.locator('[data-adaptive]')).toHaveCount(3);
    });
    await check('taken out of the list, its runs stay', async () => {
      const before = (await command(koab, home, 'runs', 'list')).length;
      await act.go(page, `#/adaptive/${id}`);
      await page.locator('#remove-adaptive').click();
      await page.locator('[data-answer="confirm"]').click();
      await page.locator('[data-adaptive]').first().waitFor();
      await page.locator(`[data-adaptive="${id}"]`).waitFor({ state: 'detached' });
      await expect(page.locator('[data-adaptive]')).toHaveCount(2);
      equal((await command(koab, home, 'runs', 'list')).length, before);
    });
    await check('the page complains about nothing', async () =>
      equal(
        // That reports are missing is an answer, and was asked for.
        complaints.filter((one) => !/400 .*adaptive_plan$/.test(one)),
        [],
      ),
    );
    await context.close();
    await server.stop();
    model.stop();
  });
});
