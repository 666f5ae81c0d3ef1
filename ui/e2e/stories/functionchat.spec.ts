// A pack of FunctionChat from its import to the comparison of two models: every place says the figures that follow from what
// the scripted models and their judge reply.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { functionchat as madeUp, functionchatItems } from '../items.mjs';
import { itemServer, JUDGE, PRAISE, quality, tally } from '../itemServer.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const PUBLISHED_ITEMS = 1306;
/** Text as people see it. */
const SEEN = { useInnerText: true };

interface Counted {
  right: number;
  wrong: number;
  vague: number;
}

/** What the authors' tables count of each group: passes, and passes and fails. */
function byHand(model: string, items: unknown[]) {
  const sets = Object.entries(tally(model, items) as Record<string, Record<string, Counted>>);
  return sets.flatMap(([set, groups]) =>
    Object.entries(groups).map(([group, { right, wrong, vague }]) => ({ set, group, right, wrong, vague })),
  );
}

const rate = (part, whole) => (part / whole).toFixed(4);

/** Compares the tables that are shown with what was counted, by the rules of each set. */
function sameTables(shown, counted) {
  const tables = Object.fromEntries(shown.map(([name, cells]) => [name, Object.fromEntries(cells)]));
  equal(Object.keys(tables).sort(), ['CallDecision', 'Dialog', 'SingleCall']);
  for (const { set, group, right, wrong, vague } of counted) {
    equal(tables[set][`${group} pass cnt`], String(right), `passes of ${set} ${group}`);
    const all = set === 'SingleCall' ? right + wrong + vague : right + wrong;
    equal(tables[set][`${group} pass rate`], rate(right, all), `rate of ${set} ${group}`);
  }
  const sum = (set, what) => counted.filter((row) => row.set === set).reduce((total, row) => total + row[what], 0);
  for (const set of Object.keys(tables)) {
    equal(tables[set].total_pass_cnt, String(sum(set, 'right')), `passes of ${set}`);
    equal(tables[set].unlabelled, String(sum(set, 'vague')), `unlabelled of ${set}`);
  }
}

/** The rows of a page's tables that have a figure of this name. */
const inHtml = (html, name, text) => html.includes(`<th scope="row">${name}</th><td class="n">${text}</td>`);

story('functionchat', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    const root = await madeUp(home);
    const items = await functionchatItems(join(root, 'data'));
    const model = await itemServer(items);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const counted = byHand('able', items);
    let run: { id: string };
    let report: { id: string };
    let tables: [string, [string, string][]][];

    await check('its files come in as a pack, and its page shows the groups', async () => {
      equal(await act.importFolder(page, root), 1);
      await act.go(page, '#/packs/functionchat');
      await page.locator('[data-pack="functionchat"]').waitFor();
      await settled(page);
      for (const { set, group, right, wrong, vague } of counted)
        await expect(page.locator('#main')).toContainText(`${right + wrong + vague} ${set} / ${group}`, SEEN);
    });
    await check('a run from the form is seen going on', async () => {
      model.gate.hold(12);
      await act.items.run(page, { pack: 'functionchat', model: 'able', baseUrl: model.baseUrl, judge: JUDGE });
      await expect.poll(() => act.tasks(page)).toBe(items.length);
      await page.locator('[data-task][data-state="running"]').first().waitFor();
      await page.locator('[data-task][data-state="done"]').first().waitFor();
      holds((await act.ended(page)) <= 12, 'more have ended than were answered');
      model.gate.open();
    });
    await check(
      'each item was asked once, as its authors ask it, and each question put to the judge once',
      async () => {
        await act.items.report(page);
        const exact = items.filter((item) => item.type === 'call' && quality('able', item) === 'right').length;
        equal([model.asked.model, model.asked.unknown], [items.length, 0]);
        equal(model.asked.judge, items.length - exact);
      },
    );
    await check('its report has the tables of the authors, with the figures counted by hand', async () => {
      [run] = await ask(page, 'runs_list');
      [report] = await command(koab, home, 'report', 'list');
      tables = await act.items.tables(page);
      sameTables(tables, counted);
    });
    await check('the command line’s document has the same tables and means', async () => {
      const { benchmark, levels } = await command(koab, home, 'report', 'show', report.id);
      equal(
        benchmark.tables.map(({ name, cells }) => [name, cells.map(({ name, text }) => [name, text])]),
        tables,
      );
      for (const { set, group, right, wrong } of counted) {
        const { metrics } = levels.find(({ level }) => level === `${set}.${group}`);
        equal([metrics[0].mean, metrics[0].scored], [right / (right + wrong), right + wrong], `${set}.${group}`);
      }
    });
    await check('so have the page in one file and the Markdown', async () => {
      const html = await readFile((await act.saved(page, '[data-export="html"]')).path, 'utf8');
      for (const [name, text] of tables.flatMap(([, cells]) => cells))
        holds(inHtml(html, name, text), `${name} ${text} is not in the page`);
      const saved = await act.saved(page, '[data-export="md"]', 3);
      const statistics = await readFile(saved.beside.find(({ name }) => name.includes('statistics')).path, 'utf8');
      for (const { set, group, right, wrong } of counted)
        holds(statistics.includes(`| ${set}.${group} | SR |  | ${rate(right, right + wrong)} |`), `${set}.${group}`);
    });
    await check('a transcript has what was asked, the reply, and the judge’s words', async () => {
      const item = items.find((item) => item.type === 'completion' && quality('able', item) === 'right');
      await act.go(page, `#/runs/${encodeURIComponent(run.id)}/${encodeURIComponent(item.id)}`);
      await page.locator('[data-end][data-status="answered"]').waitFor();
      const asked = item.messages.findLast(({ role }) => role === 'user').content;
      for (const part of [asked, item.truth.content]) await expect(page.locator('#main')).toContainText(part, SEEN);
      const words = await act.items.words(page, 'SR');
      holds(
        words.some((said) => said.includes(PRAISE)),
        JSON.stringify(words),
      );
    });
    await check('a second model’s report is held against the first item by item', async () => {
      await act.items.run(page, { pack: 'functionchat', model: 'weak', baseUrl: model.baseUrl, judge: JUDGE });
      await act.items.report(page);
      const ids = (await command(koab, home, 'report', 'list')).map(({ id }) => id);
      const [able, weak] = ['able', 'weak'].map((name) => ids.find((id) => id.includes(name)));
      await act.go(page, `#/compare?reports=${encodeURIComponent(`${able},${weak}`)}`);
      await page.locator('[data-conclusion]').first().waitFor();
      await settled(page);
      const both = items.filter(clear);
      const lost = both.filter((item) => quality('able', item) === 'right' && quality('weak', item) === 'wrong').length;
      const won = both.filter((item) => quality('able', item) === 'wrong' && quality('weak', item) === 'right').length;
      const beside = await command(koab, home, 'report', 'compare', able, weak);
      const [test] = beside.tests[0].pairs[0].tests.families[0].tests;
      equal([test.metric, test.tasks, test.won, test.lost], ['SR', both.length, won, lost]);
      const told = `${test.difference.toFixed(4).replace('-', '−')} SR over ${both.length} tasks`;
      await expect(page.locator('[data-conclusion] [data-sentence]')).toContainText(told);
      const points = (test.difference * 100).toFixed(1).replace('-', '−');
      await expect(page.locator('[data-conclusion] [data-points]')).toContainText(`${points} points`, SEEN);
      for (const [filter, tasks] of [
        ['improvements', won],
        ['regressions', lost],
      ]) {
        await expect(page.locator(`[data-filter="${filter}"]`)).toHaveText(new RegExp(` ${tasks}$`));
      }
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    if (shared) {
      await check('the 1,306 published items give the authors’ tables in the window', async () => {
        const folder = join(shared, 'packs/functionchat');
        await command(koab, home, 'pack', 'import', folder);
        const all = await functionchatItems(join(folder, 'data'));
        const whole = await itemServer(all);
        await act.items.run(page, { pack: 'functionchat', model: 'able', baseUrl: whole.baseUrl, judge: JUDGE });
        await act.items.report(page);
        equal([whole.asked.model, whole.asked.unknown], [PUBLISHED_ITEMS, 0]);
        sameTables(await act.items.tables(page), byHand('able', all));
        whole.stop();
      });
    }
    await context.close();
    await server.stop();
    model.stop();
  });
});

/** Whether the judge says pass or fail of both models’ replies. */
const clear = (item) => ['able', 'weak'].every((model) => quality(model, item) !== 'vague');
