// A pack of one's own: begun, changed, refused, mended, saved, run from the command line, and handed on.
import * as act from '../acts.mjs';
import { compose } from '../hangul.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const LIMIT = { timeout: 30_000 };
const kept = (page) => page.locator('[data-keeping="kept"]').waitFor(LIMIT);

story('editor', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const server = await serve(koab, home);
    const { page, context, complaints, session } = await openPage(browser, server);
    await check('a pack is begun from the Packs screen', async () => {
      await act.go(page, '#/packs');
      await page.locator('[data-area="drafts"]').click();
      await page.locator('#new-pack').click();
      await page.locator('#draft-name').fill('mine');
      await page.keyboard.press('Enter');
      await page.locator('[data-item]').first().waitFor(LIMIT);
      await page.locator('[data-sound]').waitFor(LIMIT);
      await expect(page.locator('[data-call="golden_action[0]"] [data-answer]').first()).toHaveAttribute(
        'data-answer',
        'hit',
      );
    });
    await check('a new task says at its field what is missing, and keeps the pack from being saved', async () => {
      await page.locator('#add-task').click();
      await page.locator('[data-problem="instruction"]').waitFor(LIMIT);
      await page.locator('#draft-save').click();
      await page.locator('[data-review]').waitFor(LIMIT);
      await expect(page.locator('#save-version')).toBeDisabled();
      await page.keyboard.press('Escape');
    });
    await check('Korean is typed and kept by itself, and is there after a reload', async () => {
      await act.tabTo(page, 'textarea[name="instruction"]');
      await compose(page, ['ㅂ', '부', '부산'], [' 회의']);
      await page.locator('[data-argument="query"]').fill('회의');
      await kept(page);
      await page.reload();
      await page.locator('textarea[name="instruction"]').waitFor(LIMIT);
      await expect(page.locator('textarea[name="instruction"]')).toHaveValue(/부산/);
    });
    await check('a call that is not recorded gets a response by hand', async () => {
      await page.locator('[data-call="golden_action[0]"] [data-answer="miss"]').first().waitFor(LIMIT);
      await page.locator('[data-respond]').click();
      await page.locator('#response-text').fill('{"items": [{"text": "월요일"}]}');
      await page.locator('[form="response-form"][type="submit"]').click();
      await page.locator('#response-form').waitFor({ state: 'detached', ...LIMIT });
      await page.locator('[data-call="golden_action[0]"] [data-try]').click();
      await page.locator('[data-tried] [data-answer="hit"]').waitFor(LIMIT);
    });
    await check('a second window that changes the same draft is told, and overwrites nothing', async () => {
      const other = await openPage(browser, server, { session, at: '#/packs?edit=1&draft=mine' });
      await other.page.locator('textarea[name="instruction"]').waitFor(LIMIT);
      await page.locator('textarea[name="instruction"]').fill('부산 회의가 언제인지 메모에서 찾아 줘.');
      await kept(page);
      await page.locator('[data-saved], [data-keeping="kept"]').first().waitFor(LIMIT);
      await other.page.locator('textarea[name="instruction"]').fill('다른 창');
      await other.page.locator('[data-stale]').waitFor(LIMIT);
      await other.page.locator('#take-theirs').click();
      await other.page.locator('[data-stale]').waitFor({ state: 'detached', ...LIMIT });
      await other.context.close();
      const opened = await ask(page, 'draft_open', { name: 'mine' });
      holds(!JSON.stringify(opened).includes('다른 창'), 'the second window overwrote the first');
    });
    await check('it is saved as version 1', async () => {
      await page.locator('#draft-save').click();
      await page.locator('#save-version:not([disabled])').click();
      await page.locator('[data-saved^="mine@1+"]').waitFor(LIMIT);
    });
    await check('a run on the command line finds every call of its golden path recorded', async () => {
      const run = await command(koab, home, 'run', '--pack', 'mine', '--model', 'baseline/golden', '--evaluate');
      const metrics = run.reports[0].levels[0].metrics;
      for (const name of ['ToolAcc', 'CallEM', 'RespOK']) {
        equal([name, metrics.find(({ metric, id }) => (metric ?? id) === name)?.mean], [name, 1]);
      }
    });
    await check('it is exported as an archive that comes in elsewhere as what it was', async () => {
      const { name, path } = await act.saved(page, '#draft-export');
      equal(name, 'mine-1.zip');
      await inHome(async (elsewhere) => {
        const imported = await command(koab, elsewhere, 'pack', 'import', path);
        equal([imported.problems, imported.pack.name], [[], 'mine']);
      });
    });
    await check('a deleted task comes back', async () => {
      await page.locator('#item-remove').click();
      await page.locator('#undo-remove').click();
      await settled(page);
      await expect(page.locator('[data-item]')).toHaveCount(2);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
