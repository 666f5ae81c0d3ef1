// The rooms of the sidebar, by mouse and by keyboard; the areas in them, by their addresses; the form of a new run over the
// list; and the chosen reports, which go along from one area to the next.
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { inFilled } from '../prepared.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const ROOMS = ['runs', 'results', 'benchmark', 'models', 'scenarios', 'settings'];
const FIRST = ['#/runs', '#/reports', '#/tasks', '#/models', '#/scenarios', '#/settings'];

/** Every address that leads somewhere, with its room and its tab there. */
const addresses = ({ run, task, report, own, bundle, sweep, adaptive, queues }) => [
  ['#/', 'runs', 'runs'],
  [`#/runs/${encodeURIComponent(run)}`, 'runs', 'runs'],
  [`#/runs/${encodeURIComponent(run)}/${task}`, 'runs', 'runs'],
  ['#/sweeps', 'runs', 'sweeps'],
  ['#/sweeps?new=1', 'runs', 'sweeps'],
  [`#/sweeps/${sweep}`, 'runs', 'sweeps'],
  ['#/adaptive', 'runs', 'adaptive'],
  [`#/adaptive/${adaptive}`, 'runs', 'adaptive'],
  ['#/reports', 'results', 'reports'],
  [`#/reports/${report}`, 'results', 'reports'],
  [`#/reports/${own}/submit`, 'results', 'reports'],
  [`#/reports?verify=${encodeURIComponent(bundle)}`, 'results', 'reports'],
  ['#/compare?all=pairs', 'results', 'compare'],
  [`#/atlas?reports=${report}`, 'results', 'atlas'],
  ['#/find?q=level:L1', 'results', 'find'],
  ['#/judging', 'results', 'judging'],
  [`#/judging/queue/${queues.blind}`, 'results', 'judging'],
  ['#/tasks', 'benchmark', 'tasks'],
  [`#/tasks/${task}`, 'benchmark', 'tasks'],
  ['#/packs', 'benchmark', 'packs'],
  ['#/packs/starter', 'benchmark', 'packs'],
  ['#/packs?edit=1', 'benchmark', 'drafts'],
  ['#/packs?edit=1&draft=mine', 'benchmark', 'drafts'],
  ['#/models', 'models', 'models'],
  ['#/agents', 'models', 'agents'],
  ['#/scenarios/new', 'scenarios', null],
  ['#/settings', 'settings', 'settings'],
  ['#/trash', 'settings', 'trash'],
];

/** Room and tab that are marked as the current ones. */
const marked = (page) =>
  page.evaluate(() => {
    const of = (key) =>
      [...document.querySelectorAll<HTMLElement>(`nav [data-${key}][aria-current="page"]`)].map(
        ({ dataset }) => dataset[key],
      );
    return [...of('room'), ...(of('area').length > 0 ? of('area') : [null])];
  });
const at = (page, hash) => page.waitForFunction((hash) => decodeURIComponent(location.hash) === hash, hash);

story('rooms', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    const server = await serve(koab, home);
    const { page, context } = await openPage(browser, server);
    await check('without runs the next step is the form, by its button and by its key', async () => {
      await page.locator('[data-empty] #new-run').click();
      await page.locator(act.form.run).waitFor();
      await page.keyboard.press('Escape');
      await page.locator(act.form.run).waitFor({ state: 'detached' });
      await page.keyboard.press('c');
      await page.locator(act.form.run).waitFor();
    });
    await check('the sidebar has scenarios by the user’s wish, and after a reload', async () => {
      await act.go(page, '#/settings');
      const { found } = (await ask(page, 'doctor')).find(({ what }) => what === 'containers');
      await page.locator('#settings-scenarios').check();
      await page.reload();
      await page.locator('#settings-scenarios').waitFor();
      await expect(page.locator('[data-room="scenarios"]'), JSON.stringify(found)).toHaveCount(1);
    });
    await context.close();
    await server.stop();
  });
  await inFilled({ koab, shared }, async (home, workspace) => {
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    await check('six rooms are in the sidebar, scenarios by their results', async () => {
      await page.locator('[data-room="scenarios"]').waitFor();
      const rooms = () => page.locator('[data-room]').evaluateAll((links) => links.map(({ dataset }) => dataset.room));
      await expect.poll(rooms).toEqual(ROOMS);
    });
    await check('each room opens with one click, and with its digit', async () => {
      for (const [index, room] of ROOMS.entries()) {
        await page.locator(`[data-room="${room}"]`).click();
        await at(page, FIRST[index]);
        await settled(page);
        equal((await marked(page))[0], room);
      }
      for (const [index, hash] of FIRST.entries()) {
        await page.keyboard.press(`Control+${index + 1}`);
        await at(page, hash);
      }
    });
    await check('Tab and Enter go to a room, and on to its tabs', async () => {
      await act.go(page, '#/runs');
      await act.tabTo(page, '[data-room="benchmark"]', 320);
      await page.keyboard.press('Enter');
      await at(page, '#/tasks');
      await act.tabTo(page, '[data-area="packs"]');
      await page.keyboard.press('Enter');
      await at(page, '#/packs');
      await settled(page);
      equal(await marked(page), ['benchmark', 'packs']);
      await page.keyboard.press('g');
      await page.keyboard.press('d');
      await at(page, '#/packs?edit=1');
    });
    await check('every address is in its room and under its tab, after a reload as well', async () => {
      const own = workspace.reports.find((id) => id.startsWith('baseline_'));
      for (const [address, ...wanted] of addresses({ ...workspace, own })) {
        await act.go(page, address);
        await settled(page);
        equal(await marked(page), wanted, address);
      }
      await act.go(page, '#/judging');
      await page.reload();
      await page.locator('[data-area="judging"]').waitFor();
      equal(await marked(page), ['results', 'judging']);
    });
    await check(
      'what is ticked in the library is what the other tabs show, and is still ticked on the way back',
      async () => {
        const [one, other] = workspace.reports.filter((id) => id.startsWith('baseline_'));
        await act.library.go(page);
        await act.library.tick(page, one);
        await act.library.tick(page, other);
        for (const area of ['compare', 'atlas', 'judging']) {
          await page.locator(`[data-area="${area}"]`).click();
          await at(page, `#/${area}?reports=${one},${other}`);
          await page.locator('[data-chosen="2"]').waitFor();
          await settled(page);
        }
        await page.locator('[data-area="reports"]').click();
        await expect(page.locator('[data-row] input:checked')).toHaveCount(2);
        await expect(
          page.locator(`[data-row="${one}"] input:checked, [data-row="${other}"] input:checked`),
        ).toHaveCount(2);
      },
    );
    await check('a report that is open is what the other tabs show', async () => {
      await act.go(page, `#/reports/${workspace.report}`);
      await page.locator('[data-area="atlas"]').click();
      await at(page, `#/atlas?reports=${workspace.report}`);
      await expect(page.locator('[data-chosen="1"]')).toBeVisible();
      await page.locator('[data-area="compare"]').click();
      await at(page, `#/compare?reports=${workspace.report}`);
      await expect(page.locator('[data-chosen="1"]')).toBeVisible();
    });
    await check('the form of a new run keeps its draft, closes by Esc and gives the focus back', async () => {
      await act.runs(page);
      await page.locator(act.form.open).click();
      await page.waitForFunction(() => document.activeElement?.id === 'pack');
      await act.chooseModel(page, 'openai_compat/');
      await page.locator(act.form.name).first().fill('draft-1');
      await act.tabTo(page, '[data-close]');
      await page.keyboard.press('Tab');
      await expect(page.locator('[role="dialog"] :focus'), 'the focus stays in the form').toHaveCount(1);
      await page.keyboard.press('Escape');
      await page.locator(act.form.run).waitFor({ state: 'detached' });
      await at(page, '#/runs');
      await page.waitForFunction(() => document.activeElement?.id === 'new-run');
      await page.keyboard.press('Enter');
      await page.locator(act.form.name).first().waitFor();
      await expect(page.locator(act.form.name).first()).toHaveValue('draft-1');
      await page.reload();
      await page.locator(act.form.name).first().waitFor();
      await expect(page.locator(act.form.name).first()).toHaveValue('draft-1');
      await page.keyboard.press('Escape');
      await page.locator(act.form.run).waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.id === 'new-run');
    });
    await check('the form and what the run would take stand beside each other', async () => {
      await act.newRun(page);
      await settled(page);
      const [form, estimate] = await page
        .locator('.drawer form, .drawer [data-estimate]')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON()));
      holds(form.right <= estimate.left + 1 && estimate.right <= 1281, JSON.stringify([form, estimate]));
      await page.keyboard.press('Escape');
    });
    await check('the one button for importing offers files, a folder, the published reports and a hub', async () => {
      await act.go(page, '#/packs');
      await page.locator('#import').click();
      for (const way of ['#import-files', '#import-folder', '#reference-folder', '#pack-pull'])
        await page.locator(way).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('#import-files').waitFor({ state: 'detached' });
      await at(page, '#/packs');
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
