// A run that a terminal makes while the page is open: the list learns of it, and its page follows it to its end.
import * as act from '../acts.mjs';
import { check, equal, holds } from '../report.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';

export async function elsewhere({ koab, browser }) {
  await inHome(async (home) => {
    const model = await scripted();
    model.delay.model = 1_500;
    const server = await serve(koab, home);
    const { page, complaints } = await openPage(browser, server);
    await act.runs(page);
    const words = ['run', '--model', 'openai_compat/slow', '--base-url', model.baseUrl, '--concurrency', '2'];
    const made = command(koab, home, ...words);

    await check('a run of another process comes into the list by itself', async () => {
      await page.locator('#main [role=grid]').getByText('running elsewhere').waitFor({ timeout: 20_000 });
    });
    await check('its page says who makes it, and counts what has ended', async () => {
      const [{ id, held_by: maker }] = await ask(page, 'runs_list');
      await act.go(page, `#/runs/${encodeURIComponent(id)}`);
      const section = page.locator('section[data-phase="running"]');
      await section.locator('h2', { hasText: `process ${maker}` }).waitFor();
      equal(await page.locator('#cancel').count(), 0, 'nobody can cancel it here');
      await page.locator('[data-task][data-state="done"]').first().waitFor({ timeout: 30_000 });
      const before = await act.inState(page, 'done');
      await page.waitForFunction((n) => document.querySelectorAll('[data-task][data-state="done"]').length > n, before);
      equal(await page.locator('section[data-phase="running"]').count(), 1, 'it goes on');
    });
    model.delay.model = 0;
    await check('its end is shown when it comes, with all attempts', async () => {
      const { run } = await made;
      await page.locator('section[data-phase="over"]').waitFor();
      holds(run.planned > 0 && run.outcome === 'completed', JSON.stringify(run));
      equal(await act.inState(page, 'waiting'), 0);
      equal(await page.locator('[data-task]').count(), run.planned);
    });
    equal(complaints, []);
    await server.stop();
    model.stop();
  });
}
