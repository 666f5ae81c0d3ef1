// The search through transcripts: from the palette to a hit, narrowed by a count, and kept as a view.
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { importPack, command } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

sharedStory('find', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    await command(koab, home, 'import', join(shared, 'parity/logs'));
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const total = (count) => expect(page.locator('[data-total]')).toHaveAttribute('data-total', String(count));
    await check('a word that is typed into the palette is searched for in all transcripts', async () => {
      await page.keyboard.press('Control+k');
      await act.palette.open(page);
      await page.locator('[data-query]').fill('answer:주가');
      await page.locator('[data-item="find"]').click();
      await total(37);
      await expect(page.locator('[data-hit] mark').first()).toHaveText('주가');
    });
    await check('a count narrows the search, and Back widens it', async () => {
      const model = page.locator('[data-facet="model"]').first();
      const count = Number(await model.locator('span').last().textContent());
      await model.click();
      await total(count);
      await page.goBack();
      await total(37);
    });
    await check('a fault of a query says where it is', async () => {
      await page.locator('#find-query').fill('toool:x');
      await page.keyboard.press('Enter');
      await expect(page.locator('#main [role="alert"]')).toContainText('character 1');
    });
    await check('a search is kept as a view', async () => {
      await page.locator('#find-query').fill('level:L3');
      await page.keyboard.press('Enter');
      await total(80);
      await page.locator('#views').click();
      await page.locator('#view-name').fill('third');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.locator('#find-query').fill('날씨');
      await page.keyboard.press('Enter');
      await total(28);
      await page.locator('#views').click();
      await page.locator('[data-view="third"] a').click();
      await total(80);
    });
    await check('a hit leads to its transcript', async () => {
      await page.locator('[data-hit] a').first().click();
      await page.locator('#main article[data-turn]').first().waitFor();
      await settled(page);
    });
    await check('a kept search is a rule of the failure atlas', async () => {
      const run = decodeURIComponent((await page.evaluate(() => location.hash)).split('/')[2].split('?')[0]);
      await page.evaluate((id) => (location.hash = `#/atlas?reports=${encodeURIComponent(id)}&level=L3`), run);
      const rule = page.locator('[data-own-rule="third"]');
      await expect(rule).toBeEnabled();
      const lossy = await page.locator('[data-row]').count();
      await expect(rule.locator('b')).toHaveText(String(lossy));
      await page.evaluate((id) => (location.hash = `#/atlas?reports=${encodeURIComponent(id)}`), run);
      await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(lossy);
      await rule.click();
      await expect(page.locator('[data-row]')).toHaveCount(lossy);
      await expect(rule).toHaveAttribute('aria-pressed', 'true');
    });
    await check('the page complains about nothing', async () =>
      // A fault of a query is an answer, and was asked for.
      equal(
        complaints.filter((one) => !/400 .*call\/find$/.test(one)),
        [],
      ),
    );
    await context.close();
    await server.stop();
  });
});
