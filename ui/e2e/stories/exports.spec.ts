// A report as a file to keep or send: what the browser saves is compared with the published files, byte by byte or number
// by number.
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const REPORT = 'azure_gpt-4o_20251219';
const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];
/** What four printed decimals may be away from the number itself. */
const PRINTED = 0.000_050_001;
/** A published file that has to come out as it is, by its format. */
const PUBLISHED = { json: 'evaluation_report.json', csv: 'evaluation_summary.csv', md: 'evaluation_report.md' };

sharedStory('exports', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    const folder = join(shared, 'parity/reports', REPORT);
    await command(koab, home, 'report', 'import', join(shared, 'parity/reports'));
    const published = JSON.parse(await readFile(join(folder, PUBLISHED.json), 'utf8')).by_level;
    const server = await serve(koab, home);
    for (const language of ['en', 'ko']) {
      const { page, context, complaints, session } = await openPage(browser, server, {
        language,
        session: server.session,
      });
      server.session = session;
      await act.go(page, `#/reports/${REPORT}?measure=SR`);
      await page.locator('[data-report-menu]').waitFor();
      await page.locator('[data-chart] summary').click();
      await settled(page);

      for (const [format, file] of Object.entries(PUBLISHED)) {
        await check(`${file} is saved byte by byte as it was published (${language})`, async () => {
          // The published bytes stay as they are, so how the report can be compared and how sure it is are files beside it.
          const { name, path, beside } = await act.saved(page, `[data-export="${format}"]`, 3);
          const others = ['comparability', 'statistics'].map((what) => `${REPORT}.${what}.${format}`);
          equal([name, ...beside.map((file) => file.name)], [`${REPORT}.${format}`, ...others]);
          holds((await readFile(path)).equals(await readFile(join(folder, file))), `${name} is not ${file}`);
        });
      }
      await check(
        `the page in one file opens with no network, loads nothing else and has the published numbers (${language})`,
        async () => {
          const { path } = await act.saved(page, '[data-export="html"]');
          const { tables, requests, lang } = await opened(browser, path);
          equal([lang, requests], [language, 1]);
          equal(wrong(published, tables), []);
        },
      );
      await check(`a chart is saved as an SVG that stands alone (${language})`, async () => {
        const { name, path } = await act.saved(page, 'figure [data-keep]');
        equal(name, `${REPORT}-SR-bars.svg`);
        const { error, texts, outside } = await elsewhere(browser, readSvg, await readFile(path, 'utf8'));
        equal([error, outside], [null, []]);
        equal(
          LEVELS.filter((level) => !texts.includes(level)),
          [],
        );
      });
      await check(`the chart's table has the published numbers (${language})`, async () => {
        const rows = page.locator('figure').first().locator('tbody tr');
        await expect(rows).toHaveCount(LEVELS.length);
        for (const [at, level] of LEVELS.entries()) {
          const cells = rows.nth(at).locator('> *');
          await expect(cells.first()).toHaveText(new RegExp(`^\\s*${level}`));
          await expect(cells.nth(1)).toHaveText(published[level].metrics.SR.toFixed(4));
        }
      });
      await check(`a chart is saved as a PNG with a drawing on it (${language})`, async () => {
        const { name, path } = await act.saved(page, 'figure [data-keep] >> nth=1');
        equal(name, `${REPORT}-SR-bars.png`);
        const { width, height, colours } = await elsewhere(browser, readPng, [...(await readFile(path))]);
        holds(width >= 340 && height >= 280, `it is ${width} × ${height}`);
        holds(colours > 8, `it has ${colours} colours`);
      });
      await check(`the page complains about nothing (${language})`, async () => equal(complaints, []));
      await context.close();
    }
    await server.stop();
  });
});

/** What the tables of a page say, opened with no network, and how many files it asked for. */
async function opened(browser, path) {
  // A browser keeps what it saves under a name without an ending, and takes such a file for plain text.
  const file = `${path}.html`;
  await copyFile(path, file);
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  let requests = 0;
  page.on('request', () => (requests += 1));
  await page.goto(pathToFileURL(file).href);
  const tables = await page.evaluate(() =>
    [...document.querySelectorAll('table')].map((table) => ({
      caption: table.caption?.textContent ?? '',
      rows: [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
    })),
  );
  const lang = await page.getAttribute('html', 'lang');
  await context.close();
  return { tables, requests, lang };
}

/** Runs a function in an empty page: nothing of ours helps to read the file or keeps it from being read. */
async function elsewhere(browser, work, given) {
  const context = await browser.newContext({ offline: true });
  const found = await (await context.newPage()).evaluate(work, given);
  await context.close();
  return found;
}

interface Level {
  metrics: Record<string, number>;
  metadata: { total_tokens: number };
  total_tasks: number;
}

/** What the page says otherwise than the published report: means, token counts, and numbers of tasks. */
function wrong(published: Record<string, Level>, tables: { caption: string; rows: string[][] }[]) {
  const found = [];
  // Above it stands one over all levels.
  const metrics = tables.find(
    ({ rows }) => rows.some((row) => row[0] === 'SR') && rows.some((row) => row.length === 1),
  );
  const usage = tables.find(({ rows }) => rows[0]?.length === 8);
  let level = '';
  const means = new Map();
  for (const row of metrics.rows) {
    if (row.length === 1) level = row[0].slice(0, 2);
    // Files keep the published name, people read behind it what it counts, in their language.
    else means.set(`${level} ${row[0].split(' (')[0]}`, Number.parseFloat(row[1]));
  }
  for (const [level, { metrics, metadata, total_tasks }] of Object.entries(published)) {
    for (const [metric, value] of Object.entries(metrics)) {
      const shown = means.get(`${level} ${metric}`);
      if (!(Math.abs(shown - value) <= PRINTED)) found.push(`${level} ${metric}: ${shown}, wanted ${value}`);
    }
    const tokens = usage.rows.find(([name]) => name === level)?.[3];
    if (Number(tokens) !== metadata.total_tokens)
      found.push(`${level} tokens: ${tokens}, wanted ${metadata.total_tokens}`);
    const tasks = tables.find(({ caption }) => caption.startsWith(level))?.rows.length - 1;
    if (tasks !== total_tasks) found.push(`${level}: ${tasks} tasks, wanted ${total_tasks}`);
  }
  return found;
}

/** What an XML parser finds in an SVG, and what it would load from elsewhere. */
function readSvg(text) {
  const document = new DOMParser().parseFromString(text, 'image/svg+xml');
  const error = document.querySelector('parsererror')?.textContent ?? null;
  const elements = [...document.querySelectorAll('*')];
  const addresses = elements.flatMap((element) => [element.getAttribute('href'), element.getAttribute('xlink:href')]);
  return {
    error:
      error ??
      (document.documentElement.localName === 'svg' ? null : `it begins with ${document.documentElement.localName}`),
    texts: [...document.querySelectorAll('text')].map((element) => element.textContent.trim()),
    outside: [
      ...addresses.filter((address) => address && !address.startsWith('#')),
      ...elements
        .filter(({ localName }) => ['script', 'foreignObject', 'image'].includes(localName))
        .map(({ localName }) => localName),
    ],
  };
}

/** A PNG as the browser decodes it. */
async function readPng(bytes) {
  const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  drawing.drawImage(picture, 0, 0);
  const pixels = new Uint32Array(drawing.getImageData(0, 0, width, height).data.buffer);
  return { width, height, colours: new Set(pixels).size };
}
