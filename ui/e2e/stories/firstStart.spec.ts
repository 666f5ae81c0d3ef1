// From an empty workspace to a judged report of L1: with the mouse and its presses counted, with the keyboard alone, in Korean.
// The scripted server is model and judge.
import type { Page } from '@playwright/test';
import * as act from '../acts.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

/** Presses of the mouse from the first page to the report, at most. */
const MOST_CLICKS = 4;

/** Waits for the list of the server that was pasted. */
const listed = (page) => page.locator('[data-connection-model][data-listed]').waitFor();

/** What is measured once the run is over and scored. */
async function judgedL1(page) {
  await expect.poll(() => act.scores(page), { timeout: 120_000 }).toEqual(['L1']);
  // The judge says yes to every answer.
  await expect.poll(() => act.mean(page, 'L1', 'SR'), { timeout: 120_000 }).toBe('1.0000');
}

async function byMouse(page, model) {
  let clicks = 0;
  const click = async (selector) => {
    await page.locator(selector).click();
    clicks += 1;
  };
  const step = (number) =>
    page.waitForFunction(
      (number) => location.hash.endsWith(`step=${number}`) && document.querySelector('#start-step'),
      number,
    );
  await page.waitForFunction(() => document.activeElement?.matches('[data-connection-address]'));
  await page.keyboard.insertText(model.baseUrl);
  await listed(page);
  await click('[data-quick-model="quick"]');
  await click('#start-next');
  await step(2);
  await expect(page.locator('[data-start-judged]')).toHaveAttribute('data-start-judged', 'false');
  const unjudged = await page.locator('#start-run').innerText();
  await click('[data-offer="server/judge"]');
  await expect(page.locator('#start-run'), 'the button says that nobody judges').not.toHaveText(unjudged);
  await click('#start-run');
  await judgedL1(page);
  return clicks;
}

async function byKeyboard(page, model) {
  const press = async (selector) => {
    await act.tabTo(page, selector);
    await page.keyboard.press('Enter');
  };
  const step = (number) =>
    page.waitForFunction(
      (number) => location.hash.endsWith(`step=${number}`) && document.querySelector('#start-step'),
      number,
    );
  await page.waitForFunction(() => document.activeElement?.matches('[data-connection-address]'));
  await page.keyboard.insertText(model.baseUrl);
  await listed(page);
  await act.tabTo(page, '[data-connection-model]');
  await page.keyboard.type('quick');
  await press('#start-next');
  await step(2);
  await act.tabTo(page, '#start-judge');
  await page.keyboard.type('serv jud');
  await page.locator('[role="option"][data-value="server/judge"]').waitFor();
  await page.keyboard.press('Enter');
  await press('#start-run');
  await judgedL1(page);
}

/** From a scored run to the file that is submitted, with keys alone. */
async function submittedByKeyboard(page) {
  const press = async (selector) => {
    await page.locator(selector).first().waitFor();
    await act.tabTo(page, selector, 200);
    await page.keyboard.press('Enter');
  };
  await press('#submit-report');
  for (const step of ['names', 'check', 'save']) {
    await press('[data-step="next"]');
    await page.waitForFunction((step) => location.hash.includes(`step=${step}`), step);
  }
  await press('[data-save="bundle"]');
  await expect(page.locator('[role="status"].path')).toContainText('.koab', { timeout: 60_000 });
}

story('firstStart', async ({ koab, browser }) => {
  const ways: [string, string, (page: Page, model: { baseUrl: string }) => Promise<void>][] = [
    [
      `in at most ${MOST_CLICKS} clicks and one pasted address`,
      'en',
      async (page, model) => holds((await byMouse(page, model)) <= MOST_CLICKS, 'more clicks'),
    ],
    ['with the keyboard alone', 'en', byKeyboard],
    ['in Korean', 'ko', async (page, model) => holds((await byMouse(page, model)) <= MOST_CLICKS, 'more clicks')],
  ];
  for (const [name, language, begin] of ways) {
    await inHome(async (home) => {
      const model = await scripted();
      const server = await serve(koab, home);
      const { page, context, complaints } = await openPage(browser, server, { newcomer: true, language });
      await check(`an empty workspace ends in a judged report of L1 ${name}`, () => begin(page, model));
      if (begin === byKeyboard)
        await check('and goes on to a file for submission, with the keyboard alone', () => submittedByKeyboard(page));
      await check('the connection is kept, chosen in the next run’s form, and its judge is remembered', async () => {
        const { settings } = await ask(page, 'settings_get');
        equal(
          settings.connections.map(({ name, provider, base_url }) => [name, provider, base_url]),
          [['server', 'openai_compat', model.baseUrl]],
        );
        equal(settings.judges, ['server/judge']);
        await act.newRun(page);
        await page.locator(act.form.model).click();
        await page.locator('[role="option"][data-value="server/slow"]').waitFor();
        await act.chooseModel(page, 'server/slow');
        await expect(page.locator('[role="group"]:has(#model) input[type="url"]')).toHaveCount(0);
        await expect(page.locator('[data-unjudged-note]')).toHaveCount(0);
      });
      await check('a judge with a name of 120 characters stays within the form at 1024 × 640', async () => {
        const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
        await page.setViewportSize({ width: 1024, height: 640 });
        await act.newRun(page);
        const name = `server/${'long-name-'.repeat(12)}`.slice(0, 120);
        await page.locator('#judges').fill(name);
        await page.locator('#judges').press('Enter');
        const chip = await page.locator(`[data-chip="${name}"] button`).boundingBox();
        const form = await page.locator('[role="dialog"] form').first().boundingBox();
        holds(chip && form && chip.x + chip.width <= form.x + form.width, 'the button that removes it lies outside');
        await page.locator(`[data-chip="${name}"] button`).click();
        await page.setViewportSize({ width, height });
      });
      await check('the connection can be tested, removed and brought back', async () => {
        await act.go(page, '#/models');
        const row = page.locator('[data-connection-row="server"]');
        await row.locator('[data-connection-check]').click();
        await row.locator('[data-health="well"]').waitFor();
        await row.locator('[data-connection-edit]').click();
        await page.locator('[data-connection-model]').fill('slow');
        await page.keyboard.press('Enter');
        await page.locator('[data-connection-probe]').click();
        await page.locator('[data-probe="called"]').waitFor();
        await page.locator('[data-connection-model]').fill('quick');
        await page.keyboard.press('Enter');
        await page.locator('[data-connection-probe]').click();
        await page.locator('[data-probe="silent"]').waitFor();
        await page.keyboard.press('Escape');
        await row.locator('[data-connection-remove]').click();
        await row.waitFor({ state: 'detached' });
        await page.locator('#connection-undo').click();
        await row.waitFor();
        equal((await ask(page, 'settings_get')).settings.judges, ['server/judge']);
      });
      await check('the page complains about nothing', async () => equal(complaints, []));
      await context.close();
      await server.stop();
      model.stop();
    });
  }
});
