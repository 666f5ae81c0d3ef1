// A model from a hub: looked up, fetched, paused, gone on with after a reload, and deleted.
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { hub, REPO } from '../hub.mjs';
import { check, equal, holds } from '../report.mjs';
import { inHome, openPage, serve } from '../served.mjs';

export async function localModels({ koab, browser }) {
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
      equal(await page.locator('[data-pull]').count(), 0);
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
