// A pack of BFCL from its import to its report: no judge is asked, and the tables are the authors'.
import * as act from '../acts.mjs';
import { bfcl as madeUp, bfclItems } from '../items.mjs';
import { itemServer, quality, tally } from '../itemServer.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

story('bfcl', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const root = await madeUp(home);
    const model = await itemServer(bfclItems, ({ messages }) => messages);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const { non_live: counted } = tally('able', bfclItems);
    const share = ({ right, wrong, vague }) => `${((100 * right) / (right + wrong + vague)).toFixed(2)}%`;

    await check('its files come in, and a run from the form asks no judge', async () => {
      equal(await act.importFolder(page, root), 1);
      await act.items.run(page, { pack: 'bfcl', model: 'able', baseUrl: model.baseUrl });
      await act.items.report(page);
      equal([model.asked.model, model.asked.judge, model.asked.unknown], [bfclItems.length, 0, 0]);
    });
    await check('its report has the authors’ tables, the same as the command line’s', async () => {
      const tables = await act.items.tables(page);
      const [{ id }] = await command(koab, home, 'report', 'list');
      const { benchmark } = await command(koab, home, 'report', 'show', id);
      equal(
        benchmark.tables.map(({ name, cells }) => [name, cells.map(({ name, text }) => [name, text])]),
        tables,
      );
      const cells = Object.fromEntries(tables.find(([name]) => name === 'data_non_live')[1]);
      equal(
        [cells['Multiple AST'], cells['Irrelevance Detection']],
        [counted.multiple, counted.irrelevance].map(share),
      );
    });
    await check('a transcript has the call as it was sent', async () => {
      const [{ id }] = await ask(page, 'runs_list');
      await act.go(page, `#/runs/${encodeURIComponent(id)}/multiple_0`);
      await page.locator('[data-end]').waitFor();
      await settled(page);
      const item = bfclItems.find(({ id }) => id === 'multiple_0');
      const sent = quality('able', item) === 'right' ? item.n : 1;
      await expect(page.locator('#main article').last()).toContainText(`math_square({"n":${sent}})`);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
    model.stop();
  });
});
