// The published logs and reports of 8 models: taken in, compared, read task by task.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const MODELS = 8;
const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];

sharedStory('imports', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const parity = join(shared, 'parity');
    const reports = () => ask(page, 'reports_list');
    const runs = () => ask(page, 'runs_list');

    await check('eight published reports come in through the browser', async () => {
      const names = await readdir(join(parity, 'reports'));
      for (const name of names) {
        await act.importFiles(page, [join(parity, 'reports', name, 'evaluation_report.json')]);
      }
      equal((await reports()).length, MODELS);
    });
    await check('importing twice adds nothing', async () => {
      const [name] = await readdir(join(parity, 'reports'));
      await act.importFiles(page, [join(parity, 'reports', name, 'evaluation_report.json')]);
      equal((await reports()).length, MODELS);
    });
    await check('a run log of seven files comes in, and what is none is named beside it', async () => {
      const model = join(parity, 'logs/benchmark_results/by_model/azure_gpt-4o');
      const [run] = await readdir(model);
      const files = LEVELS.map((level) => join(model, run, `${level}.json`));
      const rows = await act.importFiles(page, [...files, join(shared, 'tools/replay_llm.py')]);
      holds(rows > 0, 'nothing is told about the files');
      equal((await runs()).length, 1);
    });
    await check('two reports stand side by side', async () => {
      const [a, b] = (await reports()).map(({ id }) => id);
      await act.go(page, `#/compare?reports=${encodeURIComponent(`${a},${b}`)}`);
      await page.locator('main table, main [role="grid"]').first().waitFor();
      await settled(page);
      const main = page.locator('#main');
      for (const part of ['SR', 'L7']) await expect(main).toContainText(part);
      // Their numbers are words of the page, too.
      const undrawn = main.locator('[data-drawing]:not(:has(text))');
      await expect(undrawn).toHaveCount(0);
      const before = await main.innerText();
      await page.reload();
      await page.locator('main table, main [role="grid"]').first().waitFor();
      await settled(page);
      await expect(undrawn).toHaveCount(0);
      await expect(main).toHaveText(before, { useInnerText: true });
    });
    await check('a task’s transcript opens with its calls beside the golden ones', async () => {
      const [run] = await runs();
      await act.go(page, `#/runs/${encodeURIComponent(run.id)}/L1-001`);
      await page.locator('[data-place]').first().waitFor();
      await page.locator('[data-metric]').first().waitFor();
    });
    await check('the next task is one key away', async () => {
      const before = page.url();
      await page.locator('#next').click();
      await page.waitForFunction((before) => location.href !== before, before);
      await page.locator('[data-step]').first().waitFor();
    });
    await check('the command line sees what came in', async () => {
      const listed = await command(koab, home, 'report', 'list');
      equal((listed.reports ?? listed).length, MODELS);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
