// A run that a terminal makes while the page is open: the list learns of it, and its page follows it to its end.
import * as act from '../acts.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

story('elsewhere', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const model = await scripted();
    // Two attempts run at a time with four requests each: none ends before more requests pass.
    model.gate.hold(2);
    const server = await serve(koab, home);
    const { page, complaints } = await openPage(browser, server);
    await act.runs(page);
    const words = ['run', '--model', 'openai_compat/slow', '--base-url', model.baseUrl, '--concurrency', '2'];
    const made = command(koab, home, ...words);

    await check('a run of another process comes into the list by itself', async () => {
      const rows = page.locator('#main [role=grid]').getByText('running elsewhere');
      await expect(rows).toHaveCount(1, { timeout: 30_000 });
      const listed = await ask(page, 'runs_list');
      equal(listed.length, 1);
    });
    await check('its page says who makes it, and counts what has ended', async () => {
      const [{ id, held_by: maker }] = await ask(page, 'runs_list');
      await act.go(page, `#/runs/${encodeURIComponent(id)}`);
      const section = page.locator('section[data-phase="running"]');
      await section.locator('h2', { hasText: `process ${maker}` }).waitFor();
      await expect(page.locator('#cancel'), 'nobody can cancel it here').toHaveCount(0);
      await expect.poll(() => model.gate.held()).toBe(2);
      equal(await act.inState(page, 'done'), 0);
      for (const more of [20, 20]) {
        const before = await act.inState(page, 'done');
        model.gate.allow(more);
        await expect.poll(() => act.inState(page, 'done'), { timeout: 30_000 }).toBeGreaterThan(before);
      }
      await expect(section, 'it goes on').toHaveCount(1);
    });
    model.gate.open();
    await check('its end is shown when it comes, with all attempts', async () => {
      const { run } = await made;
      await page.locator('section[data-phase="over"]').waitFor();
      holds(run.planned > 0 && run.outcome === 'completed', JSON.stringify(run));
      await expect.poll(() => act.inState(page, 'waiting')).toBe(0);
      await expect(page.locator('[data-task]')).toHaveCount(run.planned);
    });
    await check('the page complains about nothing', () => equal(complaints, []));
    await server.stop();
    model.stop();
  });
});
