// A published result on its way to the leaderboard: names, what is objected to, one file that proves itself, and that file
// verified and taken in by somebody else.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { command, importPack, known } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const REPORT = 'azure_gpt-4o_20251219';

sharedStory('submission', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    for (const part of ['logs/benchmark_results', 'reports']) {
      await command(koab, home, 'report', 'import', join(shared, 'parity', part));
    }
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    let bundle;
    await check('the row stands under the published names', async () => {
      await act.go(page, `#/reports/${REPORT}`);
      await page.locator('[data-report-menu]').click();
      await page.locator('[data-submit]').click();
      await page.locator('[data-step="next"]').click();
      const row = page.locator('#main table[data-row]');
      await expect(row).toContainText(/gpt-4o/i);
    });
    await check('one file is saved, and the command line verifies it', async () => {
      await act.go(page, `#/reports/${REPORT}/submit?step=save`);
      await page.locator('[data-save="bundle"]').click();
      const said = page.locator('[role="status"].path');
      await said.waitFor({ timeout: 60_000 });
      bundle = /\S+\.koab/.exec(await said.innerText())?.[0];
      const found = await command(koab, home, 'submit', 'verify', bundle);
      equal([found.ok, found.counts.tasks, found.counts.reports], [true, 91, 1]);
    });
    // The page first: one that is still open complains of a server that is gone.
    await context.close();
    await server.stop();
    await inHome(async (elsewhere) => {
      const server = await serve(koab, elsewhere);
      const { page, context, complaints } = await openPage(browser, server);
      await check('elsewhere it verifies and is taken in', async () => {
        await act.go(page, `#/reports?verify=${encodeURIComponent(bundle)}`);
        await page.locator('[data-verdict="ok"]').waitFor({ timeout: 60_000 });
        await page.locator('#take').click();
        await page.locator('[data-taken] li').nth(1).waitFor();
        const { reports } = await known(koab, elsewhere);
        equal(
          reports.map((id) => id.startsWith(REPORT)),
          [true],
        );
      });
      await check('a changed byte is named, and nothing can be taken in', async () => {
        const bytes = await readFile(bundle);
        bytes[Math.floor(bytes.length / 2)] ^= 1;
        const broken = join(elsewhere, 'broken.koab');
        await writeFile(broken, bytes);
        await act.go(page, `#/reports?verify=${encodeURIComponent(broken)}`);
        await page.locator('[data-verdict="failed"]').waitFor({ timeout: 60_000 });
        await settled(page);
        await expect(page.locator('#take')).toHaveCount(0);
      });
      await check('the page elsewhere complains about nothing', async () => equal(complaints, []));
      await context.close();
      await server.stop();
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
  });
});
