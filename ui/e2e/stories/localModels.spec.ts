// A model from a hub: looked up, fetched, paused, gone on with after a reload, and deleted. A model of this disk: tried, and taken
// to a run.
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { hub, REPO } from '../hub.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { TINY, tinyModel } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, skip, story } from '../story.ts';

story('localModels', async (given) => {
  await fromHub(given);
  if (TINY) await tried(given);
  else skip('a model of this disk is tried: KOAB_TINY names no program that writes one');
});

/** From the list to a trial, and from there to the form of a run, by keys. */
async function tried({ koab, browser }) {
  await inHome(async (home) => {
    const name = await tinyModel(koab, home);
    const server = await serve(koab, home, 0, { HF_HOME: join(home, 'hf') });
    const { page, context, complaints } = await openPage(browser, server, { at: '#/models' });
    let found;
    await check('a model of this disk is tried with the chosen settings', async () => {
      await act.tabTo(page, `[data-model="local/${name}"] td a`);
      await page.keyboard.press('Enter');
      found = await act.localModels.try(page, { precision: '8bit', context: '4096', parallel: '2' });
      for (const said of ['8bit', '4,096', 'hermes', 'tokens/s', '<tool_response>'])
        holds(found.includes(said), `${said} in ${found}`);
    });
    await check('what was found is still there after a reload', async () => {
      await page.reload();
      await expect(page.locator('[data-trial-result]')).toHaveText(found, { useInnerText: true });
      await expect(page.locator('#trial [data-field="precision"]')).toHaveValue('8bit');
    });
    await check('a run begins with the settings that were tried', async () => {
      await act.tabTo(page, '#trial-run');
      await page.keyboard.press('Enter');
      await page.locator('#run:not([disabled])').waitFor();
      await expect(page.locator('#model')).toHaveValue(`local/${name}`);
      const field = (field) => page.locator(`[data-model-row] [data-field="${field}"]`).inputValue();
      equal([await field('precision'), await field('context')], ['8bit', '4096']);
    });
    await check('the page complained about nothing while a model was tried', () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
}

async function fromHub({ koab, browser }) {
  const imitated = await hub();
  await inHome(async (home) => {
    const environment = { HF_ENDPOINT: imitated.address, HF_HOME: join(home, 'hf') };
    const server = await serve(koab, home, 0, environment);
    const { page, context, complaints } = await openPage(browser, server, { at: '#/models' });
    await check('a repository is shown with licence and sizes before anything is fetched', async () => {
      const found = await act.localModels.find(page, REPO);
      for (const said of ['apache-2.0', 'Q4_0', 'Q8_0', '900.0 kB']) holds(found.includes(said), `${said} in ${found}`);
    });
    await check('a download that is paused stays so after a reload', async () => {
      await act.localModels.fetch(page, 'tiny-Q4_0.gguf');
      await act.localModels.half(page, 200_000);
      await act.localModels.pull(page, 'Pause', 'paused');
      await page.reload();
      await page.locator('[data-standing="paused"]').waitFor();
    });
    await check('it goes on where it was, and then the model is there', async () => {
      imitated.letGo();
      await act.localModels.goOn(page);
      await page.locator(`[data-model="local/${REPO}"]`).waitFor();
      await expect(page.locator('[data-pull]')).toHaveCount(0);
      equal(imitated.ranges, [200_000]);
    });
    await check('deleting it leaves the empty list', async () => {
      await act.localModels.remove(page, `local/${REPO}`);
      await page.locator('[data-none]').waitFor();
    });
    await check('the page complained about nothing', () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
  imitated.stop();
}
