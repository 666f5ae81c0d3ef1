// A server that dies in the middle of a run, and one that refuses some of its questions: the run
// waits, goes on at another address, is repeated where it failed, and comes to what an undisturbed
// one comes to.
import * as act from '../acts.mjs';
import { modelServer } from '../modelServer.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const ANSWERS_BEFORE_ITS_DEATH = 8;
const REFUSED = 3;
const answers = () => ({ content: '확인했습니다.' });

story('gone', async ({ koab, browser }) => {
  await inHome(async (home) => {
    let answered = 0;
    const dying = await modelServer(['m'], () => {
      answered += 1;
      if (answered > ANSWERS_BEFORE_ITS_DEATH) dying.stop();
      return answered > ANSWERS_BEFORE_ITS_DEATH ? undefined : answers();
    });
    let refusals = 0;
    const healthy = await modelServer(['m'], answers);
    const moody = await modelServer(['m'], () => {
      refusals += 1;
      return refusals > REFUSED ? answers() : { status: 400 };
    });
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const means = () => page.locator('#report-table [data-metric] [data-mean]').allInnerTexts();
    const whole = async () => {
      await act.scores(page);
      equal([await act.inState(page, 'done'), await act.inState(page, 'failed')], [await act.tasks(page), 0]);
      return means();
    };
    let undisturbed: string[] = [];
    let planned = 0;
    await check('a run that nothing disturbs is measured as a whole', async () => {
      await act.chooseServer(page, healthy.baseUrl, 'm');
      await act.startRun(page);
      undisturbed = await whole();
      holds(undisturbed.length > 0, 'there are figures');
      planned = await act.tasks(page);
      holds(planned > 0, 'there are attempts');
    });
    await check('a server that dies pauses the run, and no attempt fails', async () => {
      await act.chooseServer(page, dying.baseUrl, 'm');
      await act.startRun(page);
      await act.unanswered.told(page, `no server answers at ${dying.baseUrl}`);
      await expect(page.locator('#results h2').first()).toHaveText('Paused: the server does not answer');
      equal(await act.inState(page, 'failed'), 0);
      const before = await act.ended(page);
      holds(before > 0 && before < (await act.tasks(page)), `${before} attempts are over`);
    });
    await check('a reload shows the same', async () => {
      await page.reload();
      await act.unanswered.told(page, `no server answers at ${dying.baseUrl}`);
    });
    await check('it is asked again when somebody wants that, and pauses again', async () => {
      await act.unanswered.retry(page);
      await act.unanswered.told(page, `no server answers at ${dying.baseUrl}`);
    });
    await check('at another address it goes on, and comes to the same figures', async () => {
      await act.unanswered.goOnAt(page, healthy.baseUrl);
      await expect.poll(() => act.inState(page, 'done'), { timeout: 120_000 }).toBe(planned);
      equal(await whole(), undisturbed);
    });
    await check('failed attempts are a state of their own, and repeated by a button', async () => {
      await act.chooseServer(page, moody.baseUrl, 'm');
      await act.startRun(page);
      await expect.poll(() => act.inState(page, 'failed'), { timeout: 120_000 }).toBe(REFUSED);
      await expect(page.locator('#resume')).toHaveText(`Repeat ${REFUSED} failed`, { timeout: 120_000 });
      await act.runs(page);
      await expect(page.getByText(`${REFUSED} failed`).first()).toBeVisible();
      await page.goBack();
      await act.repeatFailed(page);
      await expect.poll(() => act.inState(page, 'done'), { timeout: 120_000 }).toBe(planned);
      // The report from before stands until the run is scored again.
      await expect.poll(whole, { timeout: 60_000 }).toEqual(undisturbed);
    });
    await check('the content policy has nothing to complain about', async () => equal(complaints, []));
    await context.close();
    await server.stop();
    for (const one of [healthy, moody]) one.stop();
  });
});
