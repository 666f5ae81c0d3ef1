// A sweep in the window: planned before it is started, cancelled and continued, its cells lead to transcripts, and the
// command line and the window see the same sweeps.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const RUNS = 6;
const LIMIT = { timeout: 120_000 };

story('sweep', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const model = await scripted();
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    let id;
    let text;

    await check('the form plans two models at three temperatures before anybody is asked', async () => {
      await act.go(page, '#/sweeps');
      await page.locator('[data-empty] #new-sweep').click();
      await page.locator('#sweep-name').fill('temperatures');
      // Before the models: with their addresses it is planned, and SR without a judge has no plan.
      await page.locator('#metric').selectOption('ToolAcc');
      await act.nameJudges(page, '');
      for (const [index, name] of ['quick', 'slow'].entries()) {
        if (index > 0) await page.locator('#add-model').click();
        const row = page.locator(`[data-model="${index}"]`);
        await row.locator('[role="combobox"]').fill(`openai_compat/${name}`);
        await row.locator('input[type="url"]').fill(model.baseUrl);
      }
      await page.locator('#temperature').fill('0, 0.7, 1');
      await page.locator('input[type="checkbox"][value="L1"]').check();
      await page.locator('[data-axis="temperature"]').selectOption('0.7');
      await page.locator('[data-fact="runs"] dd', { hasText: String(RUNS) }).waitFor();
      await expect(page.locator('#start-sweep'), 'it cannot be started').toBeEnabled();
    });
    await check('what is no number keeps it from being started', async () => {
      await page.locator('#temperature').fill('0, 0.7, x');
      await page.locator('#start-sweep[disabled]').waitFor();
      await page.locator('#temperature').fill('0, 0.7, 1');
      await page.locator('#start-sweep:not([disabled])').waitFor();
    });
    await check('it is cancelled in the middle, and what is made of it stays', async () => {
      // A run of `quick` makes one request for each of four tasks: two runs end, and the third waits.
      model.gate.hold(8);
      await page.locator('#start-sweep').click();
      await page.locator('[data-under-way]').waitFor();
      await expect(page.locator('[data-done]')).toHaveAttribute('data-done', '2', LIMIT);
      await page.locator('#cancel-sweep').click();
      await page.locator('#continue-sweep').waitFor();
      await expect(page.locator('[data-done]')).toHaveAttribute('data-done', '2');
      await expect(page.locator('[data-missing]'), 'the others say why they have no score').toHaveCount(RUNS - 2);
      [{ id }] = await ask(page, 'sweeps_list');
    });
    await check('continued after a reload, it makes the rest and nothing twice', async () => {
      const { plan, table } = await ask(page, 'sweep_show', { id });
      await page.reload();
      model.gate.open();
      await page.locator('#continue-sweep').click();
      await expect(page.locator('[data-done]')).toHaveAttribute('data-done', String(RUNS), LIMIT);
      await page.locator('#cancel-sweep').waitFor({ state: 'detached' });
      const { plan: left, table: after } = await ask(page, 'sweep_show', { id });
      equal([left.attempts, after.done, after.tests], [0, RUNS, RUNS - 1]);
      for (const cell of table.cells)
        for (const { pack, run } of cell.results)
          equal(
            after.cells.find(({ label }) => label === cell.label).results.find((one) => one.pack === pack).run,
            run,
          );
      holds(plan.attempts > 0, 'nothing was left to make');
      await expect(page.locator('[data-cell]')).toHaveCount(RUNS);
      await expect(page.locator('[data-cell][data-verdict="baseline"]')).toHaveCount(1);
    });
    await check(
      'one click leads from a cell to a transcript, from there to the next, and back to the sweep',
      async () => {
        const sweep = page.url();
        await page.locator('[data-row$="temperature=1"] [data-transcripts]').first().click();
        await page.locator('#main article[data-turn]').first().waitFor();
        const first = await page.locator('#main h1').textContent();
        await page.locator('#next').click();
        await page.locator('#main h1', { hasNotText: first }).waitFor();
        await page.locator('#main article[data-turn]').first().waitFor();
        await page.goBack();
        await page.locator('[data-transcripts]').first().waitFor();
        equal(page.url(), sweep);
        // A cell of the map leads there as well.
        await page.locator('a[data-cell$="temperature=1"]').first().click();
        await page.locator('#main article[data-turn]').first().waitFor();
        await page.goBack();
        await page.locator('[data-cell]').first().waitFor();
      },
    );
    await check('the command line finds what the window made', async () => {
      const { file } = await ask(page, 'sweep_show', { id });
      ({ text } = await ask(page, 'sweep_save', { file }));
      const path = join(home, 'saved.toml');
      await writeFile(path, text);
      const plan = await command(koab, home, 'sweep', path, '--dry-run');
      equal([plan.attempts, plan.runs.length], [0, RUNS]);
    });
    await check('the window finds what the command line made', async () => {
      const path = join(home, 'other.toml');
      await writeFile(
        path,
        text.replace('temperatures', 'other').replace(/temperature = \[[^\]]*\]/, 'temperature = [0.7]'),
      );
      await command(koab, home, 'sweep', path);
      await act.go(page, '#/sweeps');
      await page.locator('[data-sweep]', { hasText: 'other' }).locator('[data-made="2"]').waitFor();
      await expect(page.locator('[data-sweep]')).toHaveCount(2);
    });
    await check('taken out of the list, its runs stay', async () => {
      const before = (await command(koab, home, 'runs', 'list')).length;
      await page.locator('[data-sweep] a', { hasText: 'other' }).click();
      await page.locator('#remove-sweep').click();
      await page.locator('[data-answer="confirm"]').click();
      await page.locator('[data-sweep]').first().waitFor();
      await expect(page.locator('[data-sweep]')).toHaveCount(1);
      equal((await command(koab, home, 'runs', 'list')).length, before);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
    model.stop();
  });
});
