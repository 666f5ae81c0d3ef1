// What people keep in order: the library of reports (found, tagged, deleted, brought back) and tasks that are faulty.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

sharedStory('library', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    const all = (await readdir(join(shared, 'parity/reports'))).sort();
    const [mini, gpt4o] = all;
    await command(koab, home, 'report', 'import', join(shared, 'parity/reports'));
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server, { size: { width: 1440, height: 900 } });
    const kept = async () => (await ask(page, 'reports_library')).map(({ id }) => id).sort();
    const shows = async (wanted) => {
      await settled(page);
      await page.waitForFunction((rows) => document.querySelectorAll('[data-row]').length === rows, wanted.length);
      await expect.poll(() => act.library.rows(page)).toEqual(wanted);
    };
    const after = async (wanted) => {
      await shows(wanted);
      await page.reload();
      await page.locator('search').waitFor();
      await shows(wanted);
    };

    await act.library.go(page);
    await check('all published reports are there', () => shows(all));
    await check('typed words leave the reports that have them, after a reload as well', async () => {
      await act.library.search(page, 'bedrock');
      await after(all.filter((id) => id.startsWith('bedrock')));
      await act.library.search(page, 'bedrock nova');
      await shows(all.filter((id) => id.includes('nova')));
    });
    await check('without filters all are there again', async () => {
      await act.library.clear(page);
      await shows(all);
    });
    await check('a model is chosen from those there are', async () => {
      await act.library.choose(page, 'model', 'azure/gpt-4o');
      await after([gpt4o]);
      await act.library.clear(page);
    });
    await check('with the keyboard alone, in Korean as in English, and a chip is removed by Delete', async () => {
      await page.keyboard.press('Escape');
      await page.locator('search [role="combobox"]').focus();
      await page.keyboard.type('모델:nova-lite');
      await page.keyboard.press('Enter');
      await after(all.filter((id) => id.includes('nova-lite')));
      await page.locator('search [role="combobox"]').focus();
      await page.keyboard.press('ArrowLeft');
      await expect(page.locator('[data-filter="model"] button').first()).toBeFocused();
      await page.keyboard.press('Delete');
      await shows(all);
      await expect(page.locator('search [role="combobox"]')).toBeFocused();
      await page.keyboard.press('Escape');
    });
    await check('ticks stay while a filter hides their rows, through a report and back', async () => {
      await act.library.tick(page, gpt4o);
      await act.library.search(page, 'bedrock');
      await page.locator('[data-ticked="1"][data-ticked-hidden="1"]').waitFor();
      await page.locator('[data-row] a').first().click();
      await page.locator('[data-head] a').first().click();
      await page.locator('[data-ticked="1"][data-ticked-hidden="1"]').waitFor();
      await after(all.filter((id) => id.startsWith('bedrock')));
      await page.locator('[data-untick]').click();
      await act.library.clear(page);
      await shows(all);
    });
    await check('Compare with… proposes the row and asks for the others', async () => {
      await page.locator(`[data-compare-with="${mini}"]`).click();
      await page.locator('[role="dialog"] [data-row]').first().waitFor();
      await page.locator(`[role="dialog"] [data-row="${gpt4o}"] input`).check();
      await page.locator('[role="dialog"] button.primary').click();
      await page.waitForFunction(
        (reports) => decodeURIComponent(location.hash) === `#/compare?reports=${reports}`,
        `${mini},${gpt4o}`,
      );
      await act.library.go(page);
    });
    await check('a day after all runs leaves none, and says so', async () => {
      await act.library.from(page, '2025-12-20');
      await shows([]);
      await page.locator('.nothing').waitFor();
      await act.library.from(page, '2025-12-19');
      await shows(all);
      await act.library.clear(page);
    });
    await check('tags and a note are kept, and find a report', async () => {
      await act.library.tick(page, gpt4o);
      await act.library.remark(page, '논문, 최종', '표 3에 쓴 보고서');
      await act.library.choose(page, 'tag', '논문');
      await after([gpt4o]);
      await act.library.clear(page);
      await act.library.search(page, '표 3');
      await shows([gpt4o]);
      await act.library.clear(page);
    });
    await check('a no to the question deletes nothing', async () => {
      await act.library.go(page);
      await act.library.tick(page, mini);
      await act.library.tick(page, gpt4o);
      await act.library.askDelete(page);
      await act.answer(page, false);
      equal(await kept(), all);
    });
    await check('a yes deletes what is ticked, and undo brings it back from another page with its tags', async () => {
      await act.library.askDelete(page);
      await act.answer(page, true);
      await shows(all.slice(2));
      equal(await kept(), all.slice(2));
      equal((await command(koab, home, 'report', 'list')).length ?? 0, all.length - 2);
      await act.go(page, '#/models');
      await expect(page.locator('[data-undo="2"] [role="status"]')).toHaveText('Moved to trash: 2 reports.');
      await act.library.undo(page);
      await page.locator('[data-undo]').waitFor({ state: 'detached' });
      await act.library.go(page);
      await after(all);
      const back = (await ask(page, 'reports_library')).find(({ id }) => id === gpt4o);
      equal(back.tags, ['논문', '최종']);
    });
    await check('the trash gives back what is asked for, and the rest goes for good after a yes', async () => {
      await act.library.tick(page, mini);
      await act.library.tick(page, gpt4o);
      await act.library.askDelete(page);
      await act.answer(page, true);
      await page.locator('[data-trash-link="2"]').click();
      await page.locator(`[data-restore^="${gpt4o}~"]`).click();
      await page.locator(`[data-restored="${gpt4o}"]`).waitFor();
      equal(
        await kept(),
        all.filter((id) => id !== mini),
      );
      await page.locator('#trash-empty').click();
      await act.answer(page, true);
      await page.locator('[data-trash-empty]').waitFor();
      equal((await command(koab, home, 'trash', 'list')).items, []);
      equal(
        await kept(),
        all.filter((id) => id !== mini),
      );
    });
    await faulty(page);
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});

/** A task of the starter pack is flagged, found by it, and no longer flagged. */
async function faulty(page) {
  const NOTE = '정답 경로의 날짜가 지났습니다';
  await check('a task is flagged as faulty with a note, and a reload shows it', async () => {
    await act.go(page, '#/tasks/L1-002');
    await page.locator('#flag').click();
    await page.locator('#flag-note').fill(NOTE);
    await page.locator('#flag-save').click();
    await page.locator('[data-flagged="L1-002"]').getByText(NOTE).waitFor();
    await page.reload();
    await page.locator('[data-flagged="L1-002"]').getByText(NOTE).waitFor();
  });
  await check('the list of tasks shows the flag and finds its words', async () => {
    await act.go(page, '#/tasks?flagged=1');
    await page.locator('[data-flag="L1-002"]').waitFor();
    await expect(page.locator('[data-row]')).toHaveCount(1);
    const { tasks } = await ask(page, 'tasks_list', { pack: null });
    equal(
      tasks.filter(({ flag }) => flag !== null).map(({ flag }) => flag.note),
      [NOTE],
    );
  });
  await check('the flag is taken away again', async () => {
    await act.go(page, '#/tasks/L1-002');
    await page.locator('[data-flagged] button').last().click();
    await page.locator('#flag').waitFor();
    const { tasks } = await ask(page, 'tasks_list', { pack: null });
    equal(tasks.filter(({ flag }) => flag !== null).length, 0);
  });
}
