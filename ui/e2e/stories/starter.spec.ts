// The built-in sample pack, without key or network: from the printed link to the score table.
import * as act from '../acts.mjs';
import { modelServer } from '../modelServer.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];

story('starter', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server, { newcomer: true });
    await check('an empty workspace is begun with the keyboard alone, and ends in a scored run', async () => {
      const next = async (step) => {
        // A new step takes the focus when it is drawn; before that, keys go to the one before.
        await page.waitForFunction(
          (step) =>
            location.hash.endsWith(step) && document.activeElement?.matches('#start-step, [data-connection-address]'),
          step,
        );
        await act.tabTo(page, 'button[type="submit"]');
        await page.keyboard.press('Enter');
      };
      await page.locator('#start-step').waitFor();
      await next('');
      await next('step=2');
      await expect.poll(() => act.scores(page), { timeout: 120_000 }).toEqual(LEVELS);
    });
    await check('the first start does not come again', async () => {
      await page.reload();
      await act.runs(page);
      await expect(page.locator('#start-step')).toHaveCount(0);
    });
    await check('its content policy has nothing to complain about', async () => equal(complaints, []));
    await server.stop();
    await context.close();
  });

  await inHome(async (home) => {
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    await check('the link opens the page and is taken out of the address', async () => {
      await page.locator(act.form.open).waitFor();
      holds(!page.url().includes('link='), `the address is ${page.url()}`);
    });
    await check('the link opens no second page', async () => {
      const other = await browser.newContext();
      const second = await other.newPage();
      await second.goto(server.link);
      await second.getByText('koab serve').waitFor();
      await expect(second.locator(act.form.open)).toHaveCount(0);
      await other.close();
    });
    await check('a second tab of the browser has the session of the first, without a link', async () => {
      const second = await context.newPage();
      await second.goto(`${new URL(page.url()).origin}/#/reports`);
      await second.locator('[data-area="library"], #main h2').first().waitFor();
      await expect(second.locator('[data-outside]')).toHaveCount(0);
      await second.reload();
      await expect(second.locator('[data-outside]')).toHaveCount(0);
      await second.close();
    });
    await check('one click runs L1–L7 and ends in the score table', async () => {
      await act.startRun(page);
      await expect.poll(() => act.scores(page), { timeout: 120_000 }).toEqual(LEVELS);
      await expect.poll(() => act.mean(page, 'L1', 'ToolAcc')).toEqual('1.0000');
      // Wilson's interval of four of four.
      await expect(page.locator('[data-level="L1"] [data-metric="ToolAcc"] .range').first()).toHaveText(
        '[0.510, 1.000]',
      );
      await expect.poll(() => act.mean(page, 'L1', 'SR'), 'a mean without a judge').toMatch(/^—/);
    });
    await check('a reload shows the same', async () => {
      const before = await page.locator('#report-table').textContent();
      await page.reload();
      await act.scores(page);
      await expect(page.locator('#report-table')).toHaveText(before);
    });
    await check('the content policy has nothing to complain about', async () => equal(complaints, []));
    await check('a stopped server is told in one sentence, and ends with 0', async () => {
      await act.newRun(page);
      equal(await server.stop(), 0);
      await page.locator(act.form.run).click();
      await page.locator('[data-connection="lost"]').waitFor();
    });
    await check('a server that was started anew asks for its link, and the link opens the same tab', async () => {
      const again = await serve(koab, home, server.port);
      await page.locator('[data-connection="signed_out"]').waitFor();
      await page.goto(again.link);
      await page.locator(act.form.open).waitFor();
      equal(await again.stop(), 0);
    });
    await context.close();
  });

  await inHome(async (home) => {
    const silent = await modelServer(['silent'], () => undefined);
    const server = await serve(koab, home);
    const { page, context } = await openPage(browser, server);
    await check('a reload in the middle of a run shows the same', async () => {
      await act.chooseServer(page, silent.baseUrl, 'silent');
      await act.startRun(page);
      await act.running(page);
      const before = [await act.tasks(page), await act.inState(page, 'running')];
      await page.reload();
      await act.running(page);
      await expect.poll(async () => [await act.tasks(page), await act.inState(page, 'running')]).toEqual(before);
    });
    await check('cancelling ends the run', async () => {
      await act.cancelRun(page);
      await expect.poll(() => act.inState(page, 'running')).toBe(0);
    });
    await check('stopping the server cancels its run, tells the page and ends with 130', async () => {
      await act.startRun(page);
      await act.running(page);
      equal(await server.stop(), 130);
      await page.locator('[data-phase="over"]').waitFor();
    });
    await context.close();
    silent.stop();
  });
});
