// Runs that are judged, cancelled, gone on with and scored again: what is shown is the run's own, no answer is asked for
// twice, and the engine is not asked more often than it is worth.
import * as act from '../acts.mjs';
import { scripted } from '../scripted.mjs';
import { until } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const JUDGE = 'openai_compat/judge';
/** Votes on success; every other question is asked once. */
const VOTES = 3;

/** Subscriptions to the jobs in the busiest second so far. */
function watched(page) {
  const at = [];
  page.on('request', (request) => request.url().endsWith('/api/stream/jobs_subscribe') && at.push(Date.now()));
  return () => Math.max(0, ...at.map((from) => at.filter((time) => time >= from && time < from + 1000).length));
}

/**
 * Waits until the judge answers no more and nobody asks on: then every answer that was sent has been read, so that what is
 * cancelled now loses none on its way.
 */
async function held(page, server) {
  let [asked, since] = [-1, Date.now()];
  await until(page, 'the judge answers no more', () => {
    if (server.asked() !== asked) [asked, since] = [server.asked(), Date.now()];
    return server.left.judge === 0 && Date.now() - since > 750;
  });
}

/** Questions that were put more often than they may be. `late`: those whose answer was not awaited count once more. */
const twice = (server) => [...server.judged.values()].filter((times) => times !== 1 && times !== VOTES).length;

story('judged', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const model = await scripted();
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const busiest = watched(page);
    const over = () => until(page, 'no run goes', async () => (await ask(page, 'runs_now')).current === null);
    let id;

    await check('the form says before the start that nobody judges, and leads to the judges', async () => {
      await act.chooseServer(page, model.baseUrl, 'quick');
      await page.locator('[data-unjudged-note="unjudged"]').waitFor();
      await page.locator('#to-judges').click();
      await page.locator('#judges:focus').fill(JUDGE);
      await page.keyboard.press('Enter');
      await page.locator('#judge-base-url').fill(model.baseUrl);
      await expect(page.locator('[data-unjudged-note]')).toHaveCount(0);
    });
    await check('a scoring that is cancelled asks no judge any more', async () => {
      model.left.judge = 8;
      await act.startRun(page);
      await held(page, model);
      const asked = model.asked();
      await page.locator('#stop-scoring').click();
      // The engine has ended it, so no request can follow.
      await over();
      equal(model.asked(), asked);
      holds(model.dropped() > 0, 'calls that were out were not dropped');
    });
    await check('a scoring is shown after a reload, and can be stopped there', async () => {
      model.left.judge = 3;
      await page.locator('#score').click();
      await page.locator('[data-run-judges="run"] #judges').waitFor();
      await page.locator('#score-go').click();
      await page.locator('#stop-scoring').waitFor();
      await page.reload();
      await page.locator('#stop-scoring').waitFor();
      await expect(page.locator('[aria-labelledby="report-title"]')).toHaveAttribute('aria-busy', 'true');
      await held(page, model);
      await page.locator('#stop-scoring').click();
      await page.locator('#stop-scoring').waitFor({ state: 'detached' });
      await page.locator('[aria-labelledby="report-title"][aria-busy="false"]').waitFor();
    });
    await check('scored again by the judges of the run, it asks for what is missing and for nothing else', async () => {
      const [before, answered] = [model.asked(), model.answered()];
      model.left.judge = Infinity;
      id = (await command(koab, home, 'runs', 'list'))[0].id;
      await page.locator('#score').click();
      await expect(page.locator('[data-run-judges="run"] [data-chip]')).toHaveAttribute('data-chip', JUDGE);
      await page.locator('[data-plan]').waitFor();
      const plan = await ask(page, 'evaluate_estimate', {
        request: { run: id, scorer: 'leaderboard', judges: [JUDGE], judge_base_url: model.baseUrl },
      });
      const [{ known, calls }] = plan.judges;
      await page.locator('#score-go').click();
      await page.locator('#report-table [data-metric="SR"]').first().waitFor();
      equal(model.asked() - before, calls);
      equal(known, answered);
    });
    await check('the marks tell what was judged right, with the score', async () => {
      await page.locator('[data-mark="right"]').first().waitFor();
      await expect(page.locator('[data-mark="done"]')).toHaveCount(0);
      await page.locator('[data-task]').first().focus();
      await expect(page.locator('[data-scores]'), 'no score beside the mark').toContainText('SR 1');
    });
    await check('whoever cancels a run pays for no judge', async () => {
      // Each task makes four requests: some tasks end, and the others wait.
      model.gate.hold(44);
      const asked = model.asked();
      await act.chooseServer(page, model.baseUrl, 'slow');
      await act.startRun(page);
      await expect.poll(() => act.inState(page, 'done')).toBeGreaterThanOrEqual(2);
      await act.cancelRun(page);
      await over();
      equal(model.asked(), asked);
    });
    await check('a refusal in a dialog that is longer than the window is seen', async () => {
      const size = page.viewportSize();
      await page.setViewportSize({ width: 1024, height: 420 });
      await page.locator('#resume').click();
      await act.nameJudges(page, 'nobody', '#resume-form');
      await page.locator('#resume-form').evaluate((form) => form.parentElement.scrollTo(0, 0));
      await page.locator('#resume-go').click();
      const alert = page.locator('#resume-form [role="alert"]');
      await alert.waitFor();
      const seen = () =>
        alert.evaluate((alert) => {
          const [its, box] = [alert, alert.closest('.dialog-body')].map((one) => one.getBoundingClientRect());
          return its.top >= box.top - 1 && its.bottom <= box.bottom + 1;
        });
      await until(page, 'the refusal is in sight', seen);
      // Pressed again with nothing changed, it is shown again.
      await page.locator('#resume-form').evaluate((form) => form.parentElement.scrollTo(0, 0));
      equal(await seen(), false);
      await page.locator('#resume-go').click();
      await until(page, 'the refusal is in sight again', seen);
      await page.keyboard.press('Escape');
      await page.setViewportSize(size);
    });
    await check('gone on with, its report is whole, judged and the only one of the run', async () => {
      model.judged.clear();
      model.gate.open();
      await page.locator('#resume').click();
      await expect(page.locator('#resume-form [data-chip]')).toHaveAttribute('data-chip', JUDGE);
      const { ended } = await ask(page, 'runs_now');
      await page.locator('#resume-go').click();
      await until(page, 'it is over', async () => (await ask(page, 'runs_now')).ended.length > ended.length);
      await page.locator('#report-table [data-metric="SR"]').first().waitFor();
      equal(twice(model), 0);
      const [run] = await command(koab, home, 'runs', 'list');
      const planned = run.status.planned;
      for (const again of [false, true]) {
        if (again) await page.reload();
        await page.locator('#report-table [data-metric="SR"]').first().waitFor();
        await expect(page.locator('[data-outdated]')).toHaveCount(0);
        const { levels, judges } = await ask(page, 'report_show', { run: run.id });
        equal(
          levels.reduce((sum, { evaluated }) => sum + evaluated, 0),
          planned,
        );
        equal(judges, [JUDGE]);
      }
      const reports = (await command(koab, home, 'report', 'list')).filter(({ run: of }) => of === run.id);
      equal(reports.length, 1);
    });
    await check('a wrong judge name is told each of 20 times', async () => {
      for (let time = 0; time < 20; time += 1) {
        await act.newRun(page);
        if (time === 0) {
          await act.chooseServer(page, model.baseUrl, 'quick');
          await act.nameJudges(page, 'nonsense/judge');
        }
        const before = (await ask(page, 'runs_now')).ended.length;
        await page.locator('#run').click();
        await page.locator('#results .notice').first().waitFor();
        const told = await page.locator('#results .notice').allInnerTexts();
        holds(
          told.some((text) => text.includes('nonsense')),
          `time ${time + 1}: ${told.join(' | ')}`,
        );
        holds(!told.some((text) => text.includes('is under way')), `time ${time + 1}: ${told.join(' | ')}`);
        const { ended } = await ask(page, 'runs_now');
        equal([ended.length, ended.at(-1).outcome], [before + 1, null]);
        for (const notice of (await page.locator('#results .notice button').all()).reverse()) await notice.click();
      }
    });
    await check('the transcript of a running task grows while one looks', async () => {
      model.gate.hold();
      await act.newRun(page);
      await act.nameJudges(page, '');
      await act.chooseServer(page, model.baseUrl, 'slow');
      await act.startRun(page);
      const task = await page.locator('[data-task][data-state="running"]').first().getAttribute('data-task');
      await expect.poll(async () => model.gate.held() - (await act.inState(page, 'running'))).toBe(0);
      const goingOn = model.gate.held();
      await until(page, 'the run has its folder', async () => (await ask(page, 'runs_now')).current?.id);
      const { current } = await ask(page, 'runs_now');
      await act.go(page, `#/runs/${encodeURIComponent(current.id)}/${task}`);
      await page.locator('[data-under-way]').waitFor();
      const steps = page.locator('[data-step]');
      for (let time = 0; time < 2; time += 1) {
        const seen = await steps.count();
        // Every running task waits for its next answer, and each answer adds a step.
        await expect.poll(() => model.gate.held()).toBe(goingOn);
        model.gate.allow();
        await expect.poll(() => steps.count()).toBeGreaterThan(seen);
      }
      model.gate.open();
      await page.locator('[data-under-way]').waitFor({ state: 'detached' });
      await page.locator('[data-end][data-status="answered"]').waitFor();
      await over();
    });
    await check('a fork that ends at once is complete without a reload', async () => {
      const [{ id: run }] = await command(koab, home, 'runs', 'list');
      for (let time = 0; time < 5; time += 1) {
        const [{ id: task }] = await ask(page, 'run_tasks', { run });
        await act.go(page, `#/runs/${encodeURIComponent(run)}/${task}`);
        await page.locator('[data-fork-step="1"]').first().click();
        await page.locator('#fork-start:not([disabled])').click();
        await page.locator('[data-fork-answer]').waitFor();
      }
    });
    await check('never is the engine asked more than three times a second what goes on', async () =>
      holds(busiest() <= 3, `${busiest()} times`),
    );
    await check('the page complains about nothing', async () => {
      // The browser itself notes every answer that is an error, and one was asked for.
      equal(
        complaints.filter((text) => !text.startsWith('Failed to load resource')),
        [],
      );
    });
    await context.close();
    await server.stop();
    model.stop();
  });
});
