// The pictures of the guide: a workspace of the starter pack, played by two models and two judges, and the screens that the
// guide talks of. The window has its own size in them, so that words are as large as its readers see them.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as act from './acts.mjs';
import { palettePng } from './palettePng.mjs';
import { player } from './player.mjs';
import { LANGUAGES } from './screens.mjs';
import { inHome, openPage, serve } from './served.mjs';
import { settled } from './settled.mjs';
import { command } from './workspace.mjs';

const SIZE = { width: 1180, height: 760 };
const id = encodeURIComponent;

/** Name of the file, address of the screen, what is there when it stands, and what is done before it is looked at. */
const PICTURES = [
  {
    name: 'new-run',
    at: () => '#/runs?new=1',
    ready: '[data-estimate] dd',
    async before(page) {
      await act.chooseModel(page, 'openai_compat/');
      await page.locator(act.form.name).first().fill('qwen3');
      await page.locator(act.form.url).first().fill('http://localhost:8000/v1');
    },
  },
  { name: 'run', at: ({ weak }) => `#/runs/${id(weak.run)}`, ready: '#report-table tbody[data-level]' },
  { name: 'transcript', at: ({ weak }) => `#/runs/${id(weak.run)}/L3-002`, ready: '#main article[data-turn]' },
  { name: 'report', at: ({ weak }) => `#/reports/${id(weak.report)}`, ready: '#level-table' },
  { name: 'compare', at: ({ both }) => `#/compare?reports=${id(both)}`, ready: '#main h2' },
  {
    name: 'failures',
    at: ({ both }) => `#/atlas?reports=${id(both)}&by=model`,
    ready: '#main [role="grid"] [data-cell]',
  },
  { name: 'judging', at: ({ both }) => `#/judging?reports=${id(both)}`, ready: '#main table' },
  {
    name: 'submit',
    at: ({ weak }) => `#/reports/${id(weak.report)}/submit?step=check`,
    ready: '#main ul, #main table',
  },
  { name: 'scenarios', at: () => '#/scenarios/table/sums', ready: '#main table' },
  { name: 'editor', at: () => '#/packs?edit=1&draft=mine&item=L3-002', ready: '[data-field]' },
];

/** Runs, reports, verdicts, scenarios and a draft. */
async function staged(koab, home, tasks) {
  const server = await player(tasks);
  const judge = ['--judge-models', 'openai_compat/judge-a', '--judge-base-url', server.baseUrl];
  for (const model of ['model-a', 'model-b']) {
    await command(
      koab,
      home,
      'run',
      '--model',
      `openai_compat/${model}`,
      '--base-url',
      server.baseUrl,
      '--evaluate',
      ...judge,
    );
  }
  const reports = (await command(koab, home, 'report', 'list')).sort((one, other) => one.id.localeCompare(other.id));
  const both = reports.map((report) => report.id);
  await command(
    koab,
    home,
    'judge',
    'again',
    ...both,
    '--judge-models',
    'openai_compat/judge-b',
    '--judge-base-url',
    server.baseUrl,
  );
  server.stop();
  await command(koab, home, 'pack', 'draft', 'mine', '--from', 'starter');
  const inside = { cwd: home, env: { ...process.env, KOAB_HOME: home } };
  await promisify(execFile)(koab, ['scenario', 'clone', 'Sums'], inside);
  await command(koab, home, 'scenario', 'run', join(home, 'Sums/Tasks'), '--native', '--yes', '--repeat', '3');
  const { id: report, run } = reports[1];
  return { both: both.join(','), weak: { report, run } };
}

/** Nothing of a computer is to be seen: its folders become one that says so. */
const hide = (page, home) =>
  page.evaluate((home) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) text.data = text.data.replaceAll(home, '~/koab');
  }, home);

/** Writes the pictures of every language below `folder`. */
export async function guidePictures({ koab, browser, tasks, folder }) {
  await inHome(async (home) => {
    const workspace = await staged(koab, home, tasks);
    const server = await serve(koab, home);
    let session;
    let bytes = 0;
    for (const language of LANGUAGES) {
      await mkdir(join(folder, language), { recursive: true });
      const { page, context, ...opened } = await openPage(browser, server, { session, language, size: SIZE });
      session = opened.session;
      for (const { name, at, ready, before } of PICTURES) {
        await act.go(page, at(workspace));
        await page.locator(ready).first().waitFor();
        await settled(page);
        await before?.(page);
        await settled(page);
        await hide(page, home);
        const picture = palettePng(await page.screenshot());
        bytes += picture.length;
        await writeFile(join(folder, language, `${name}.png`), picture);
        console.log(`${language}/${name}.png: ${Math.ceil(picture.length / 1000)} kB`);
      }
      await context.close();
    }
    await server.stop();
    console.log(`${PICTURES.length * LANGUAGES.length} pictures, ${Math.ceil(bytes / 1000)} kB, in ${folder}`);
  });
}
