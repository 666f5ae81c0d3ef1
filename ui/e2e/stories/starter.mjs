// The built-in sample pack, without key or network: from the printed link to the score table.
import * as act from '../acts.mjs';
import { modelServer } from '../modelServer.mjs';
import { check, equal, holds } from '../report.mjs';
import { inHome, openPage, serve } from '../served.mjs';

const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];

export async function starter({ koab, browser }) {
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
      await next('step=3');
      await next('step=4');
      equal(await act.scores(page), LEVELS);
    });
    await check('the first start does not come again', async () => {
      await page.reload();
      await act.runs(page);
      equal(await page.locator('#start-step').count(), 0);
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
      equal(await second.locator(act.form.open).count(), 0);
      await other.close();
    });
    await check('one click runs L1–L7 and ends in the score table', async () => {
      await act.startRun(page);
      equal(await act.scores(page), LEVELS);
      equal(await act.mean(page, 'L1', 'ToolAcc'), '1.0000');
      // Wilson's interval of four of four.
      equal(
        await page.locator('[data-level="L1"] [data-metric="ToolAcc"] .range').first().innerText(),
        '[0.510, 1.000]',
      );
      holds((await act.mean(page, 'L1', 'SR')).startsWith('—'), 'a mean without a judge');
    });
    await check('a reload shows the same', async () => {
      const before = await page.locator('#report-table').textContent();
      await page.reload();
      await act.scores(page);
      equal(await page.locator('#report-table').textContent(), before);
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
      equal([await act.tasks(page), await act.inState(page, 'running')], before);
    });
    await check('cancelling ends the run', async () => {
      await act.cancelRun(page);
      equal(await act.inState(page, 'running'), 0);
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
}
