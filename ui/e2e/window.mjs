// The real window, end to end: one click runs L1–L7 of the built-in sample pack and ends in the score table.
//
//   node e2e/window.mjs BINARY [SCREENSHOT_FOLDER]
//
// Needs WebKitWebDriver, and Xvfb where there is no display. Uses a workspace of its own, which is removed afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { saveAs } from './desktop.mjs';
import { modelServer } from './modelServer.mjs';
import { check, end, equal, holds } from './report.mjs';
import { scripted } from './scripted.mjs';
import { openDisplay, openSession } from './webdriver.mjs';

const [binary, shots] = process.argv.slice(2).map((path) => resolve(path));
if (!binary) {
  console.error('usage: node e2e/window.mjs BINARY [SCREENSHOT_FOLDER]');
  process.exit(2);
}

const START_MS = 60_000;
const RUN_MS = 180_000;

/** Waits until a file is there that was not, or has been made anew. */
async function waitFor(file, since = Date.now()) {
  for (let tries = 0; tries < START_MS / 50; tries += 1) {
    const made = await stat(file).catch(() => null);
    if (made && made.mtimeMs >= since - 2_000) return;
    await sleep(50);
  }
  throw new Error(`${file} was not made`);
}

const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];
const TABLE_READY = "return document.querySelectorAll('#report-table tbody[data-level]').length";

async function openForm(page) {
  await page.until('the runs', "return document.querySelector('#new-run')", START_MS);
  await page.click('#new-run');
  await page.until('the form', "return document.querySelector('#run:not(:disabled)')", START_MS);
}

async function tests(page, home, display) {
  const shot = async (name) => shots && page.screenshot(join(shots, `${name}.png`));
  /** Sets what stands in the settings, and comes back. */
  const prefer = async (selector, value) => {
    const back = await page.run('return location.hash');
    await page.run("location.hash = '#/settings'");
    await page.until('the settings', `return document.querySelector('${selector}')`, START_MS);
    await page.select(selector, value);
    await page.until(
      'what was set',
      `const { lang, dataset } = document.documentElement; return [lang, dataset.theme].includes('${value}')`,
    );
    await page.run('location.hash = arguments[0]', back);
  };
  const levels = () =>
    page.run("return [...document.querySelectorAll('#report-table tbody')].map((body) => body.dataset.level)");

  await check('an empty workspace is begun in steps that can be skipped', async () => {
    await page.until('the first step', "return document.querySelector('#start-next')", START_MS);
    await shot('first-start');
    holds((await page.text('form .path')).startsWith(home), 'the workspace is not named');
    await page.click('#start-next');
    await page.until('the second step', "return location.hash === '#/start?step=2'");
    await page.click('#start-skip');
  });
  await check('the form of a new run has the sample pack and all levels chosen', async () => {
    await page.until('the runs', "return document.querySelector('#new-run')", START_MS);
    await prefer('#settings-language', 'en');
    await openForm(page);
    equal(await page.text('#run'), 'Run L1–L7');
    holds((await page.text('#pack option')).includes('sample data'), 'the sample pack is not marked');
    await shot('start-en');
  });
  await check('the content security policy lets the product’s styles in and inline scripts not', async () => {
    equal(await page.run('return getComputedStyle(document.body).margin'), '0px');
    await page.run("const s = document.createElement('script'); s.text = 'window.inline = 1'; document.head.append(s)");
    equal(await page.run('return window.inline ?? null'), null);
  });
  await check('one click runs L1–L7 and ends in the score table', async () => {
    await page.click('#run');
    await page.until('the live view', "return document.querySelector('[data-task]')", START_MS);
    await shot('live-en');
    await page.until('the score table', TABLE_READY, RUN_MS);
    equal(await levels(), LEVELS);
  });
  await check('every attempt ended', async () => {
    const state = "[...document.querySelectorAll('[data-task][data-state]')].filter((cell) => cell.dataset.state";
    holds((await page.run(`return ${state} === 'done').length`)) > 0, 'no task was answered');
    equal(await page.run(`return ${state} === 'waiting' || cell.dataset.state === 'running').length`), 0);
  });
  await check('the golden baseline calls the right tool on L1', async () => {
    equal(await page.text('[data-level="L1"] [data-metric="ToolAcc"] [data-mean] b'), '1.0000');
  });
  await check('what needs a judge is unscored, with the reason', async () => {
    holds(
      (await page.text('[data-level="L1"] [data-metric="SR"] [data-mean]')).startsWith('—'),
      'a mean without a judge',
    );
    holds((await page.text('[data-level="L1"] [data-metric="SR"] [data-why]')).length > 5, 'no reason is given');
  });
  await check('the report lies in the workspace', async () => {
    const folder = await page.run("return [...document.querySelectorAll('dd.path')].at(-1).textContent.trim()");
    holds(folder.startsWith(home), `the report's folder ${folder} is not in the workspace ${home}`);
    await access(folder);
  });
  await shot('report-en');
  await check('a table is saved where the user says in the system’s dialog, byte by byte', async () => {
    const folder = await page.run("return [...document.querySelectorAll('dd.path')].at(-1).textContent.trim()");
    const back = await page.run('return location.hash');
    await page.run("location.hash = document.querySelector('#open-report').getAttribute('href')");
    await page.until('the report', "return document.querySelector('[data-report-menu]')", START_MS);
    await page.click('[data-report-menu]');
    await page.until('its menu', 'return document.querySelector(\'[data-export="csv"]\')', START_MS);
    await page.click('[data-export="csv"]');
    const kept = join(home, 'kept by hand.csv');
    await saveAs(display, 'Save File', kept);
    await page.until(
      'where it was saved',
      `return document.querySelector('#main [role="status"].path')?.textContent.includes('kept by hand')`,
    );
    holds((await readFile(kept)).equals(await readFile(join(folder, 'evaluation_summary.csv'))), 'it is another table');
    await page.run('location.hash = arguments[0]', back);
    await page.until('the score table', TABLE_READY, START_MS);
  });
  await check('a reload shows the same', async () => {
    const before = await page.text('#report-table');
    await page.reload();
    await page.until('the score table', TABLE_READY, START_MS);
    equal(await page.text('#report-table'), before);
    // What the window wrote into the page at its start is old by now.
    equal(await page.run("return document.querySelector('#first-answers') === null"), true);
  });
  await check('the window speaks Korean', async () => {
    await prefer('#settings-language', 'ko');
    await page.until('the score table', TABLE_READY, START_MS);
    equal(await page.text('#back'), '모든 실행');
    equal(await page.run('return document.documentElement.lang'), 'ko');
    equal(await levels(), LEVELS);
    await shot('report-ko');
  });
  await check('the dark appearance is dark', async () => {
    await prefer('#settings-theme', 'dark');
    await page.until('the score table', TABLE_READY, START_MS);
    const [ground, words] = await page.run(
      'const { backgroundColor, color } = getComputedStyle(document.body); return [backgroundColor, color]',
    );
    const parts = (colour) => colour.match(/\d+/g).slice(0, 3).map(Number);
    holds(Math.max(...parts(ground)) < 60, `the background is ${ground}`);
    holds(Math.min(...parts(words)) > 180, `words are ${words}`);
    await shot('report-ko-dark');
    await prefer('#settings-theme', 'light');
    await page.until('the score table', TABLE_READY, START_MS);
  });
  await check('everything fits into 1024 × 640', async () => {
    await page.resize(1024, 640);
    await page.until('the size', 'return innerWidth <= 1024');
    const fits = 'return document.documentElement.scrollWidth <= innerWidth';
    equal(await page.run(fits), true);
    await shot('report-ko-small');
    await page.click('#back');
    await openForm(page);
    equal(await page.text('#run'), 'L1–L7 실행');
    equal(await page.run(fits), true);
    const bottom = await page.run(
      "return document.querySelector('#run').getBoundingClientRect().bottom <= innerHeight",
    );
    equal(bottom, true);
    await shot('home-ko-small');
    await page.click('[data-close]');
    await page.until('the list alone', "return !document.querySelector('#run')");
  });
  await check('the run is listed and opens with its report', async () => {
    await page.until('the list', "return document.querySelectorAll('[data-run]').length === 1", START_MS);
    // The driver takes a link in a row that is drawn by its scroller for one that cannot be reached.
    await page.run("document.querySelector('[data-run]').click()");
    await page.until('the score table', TABLE_READY, START_MS);
    equal(await levels(), LEVELS);
    await shot('history-ko');
  });
}

/** A model that never answers: its run goes on until somebody cancels it. */
async function cancelTests(page) {
  const shot = async (name) => shots && page.screenshot(join(shots, `${name}.png`));
  const silent = await modelServer(['silent'], () => undefined);
  const running = 'return document.querySelectorAll(\'[data-state="running"]\').length';

  await check('a run on a server that never answers shows what is in flight', async () => {
    await page.click('#back');
    await openForm(page);
    await page.type('#model', 'openai_compat/');
    await page.run("document.querySelector('#model').dispatchEvent(new FocusEvent('blur'))");
    await page.type('form input[type="text"]', 'silent');
    await page.type('form input[type="url"]', silent.baseUrl);
    await page.click('#run');
    await page.until('running tasks', running, START_MS);
    await shot('live-ko');
  });
  await check('a reload in the middle of a run shows the same', async () => {
    const before = await page.run(running);
    await page.reload();
    await page.until('running tasks', running, START_MS);
    equal(await page.run(running), before);
  });
  await check('a paused run says so, also after a reload, and goes on', async () => {
    const paused = 'return document.querySelector(\'[data-paused="true"]\')';
    await page.click('#pause');
    await page.until('the pause', paused);
    await page.reload();
    await page.until('the pause after a reload', paused, START_MS);
    await shot('paused-ko');
    await page.click('#unpause');
    await page.until('the end of the pause', 'return document.querySelector(\'[data-paused="false"]\')');
  });
  await check('cancelling ends the run', async () => {
    await page.click('#cancel');
    await page.until('the end', 'return document.querySelector(\'[data-phase="over"]\')', START_MS);
    equal(await page.run(running), 0);
    await shot('cancelled-ko');
    await page.click('#back');
    await openForm(page);
  });
  silent.stop();
}

/** The whole of the first start, in a workspace that nobody has begun. */
async function firstStart(page) {
  const model = await scripted();
  const step = (number, selector) =>
    page.until(
      `step ${number}`,
      `return location.hash.endsWith('step=${number}') && document.querySelector('${selector}')`,
      START_MS,
    );
  await check('an empty workspace ends in a judged report of L1', async () => {
    await page.until('the first step', "return document.querySelector('[data-connection-address]')", START_MS);
    await page.type('[data-connection-address]', model.baseUrl);
    await page.until(
      'the models of the server',
      `return document.querySelector('[data-connection-model][data-listed]')`,
      START_MS,
    );
    await page.type('[data-connection-model]', 'quick');
    await page.click('#start-next');
    await step(2, '#start-judge');
    await page.type('#start-judge', 'server/judge');
    await page.run("document.querySelector('#start-judge').dispatchEvent(new FocusEvent('blur'))");
    if (shots) await page.screenshot(join(shots, 'first-start-judge.png'));
    await page.click('#start-run');
    const sr = `document.querySelector('[data-level="L1"] [data-metric="SR"] [data-mean]')?.textContent.trim()`;
    await page.until('SR of L1', `return /^\\d/.test(${sr} ?? '')`, RUN_MS);
    holds(model.asked() > 0, 'no judge was asked');
  });
  model.stop();
}

const home = await mkdtemp(join(tmpdir(), 'koab-window-'));
const newHome = await mkdtemp(join(tmpdir(), 'koab-window-'));
const otherHome = await mkdtemp(join(tmpdir(), 'koab-window-'));
const display = await openDisplay();
if (shots) await mkdir(shots, { recursive: true });
let page;
// Ended from outside, the window and the display would otherwise stay behind.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await page?.close();
    display.close();
    process.exit(1);
  });
}
try {
  const envOf = (home) => ({
    DISPLAY: display.display,
    KOAB_HOME: home,
    // The web view keeps its own settings; they must not be those of the last test.
    XDG_DATA_HOME: join(home, 'xdg-data'),
    XDG_CACHE_HOME: join(home, 'xdg-cache'),
    XDG_CONFIG_HOME: join(home, 'xdg-config'),
  });
  const inHome = (home, args = []) => openSession({ binary, args, env: envOf(home) });
  /** Starts the program once more, which has to hand over to the window that is there, and end. */
  const startAgain = async (home, args) => {
    const started = spawn(binary, args, { env: { ...process.env, ...envOf(home) }, stdio: 'ignore' });
    const late = setTimeout(() => started.kill(), START_MS);
    const [code] = await once(started, 'exit');
    clearTimeout(late);
    equal(code, 0);
  };
  /** Several windows: one a workspace, each its own process. */
  const windowTests = async () => {
    await check('a second start hands its link to the window of its workspace', async () => {
      await startAgain(home, ['koab://run/another%20run']);
      await page.until('the address', "return location.hash === '#/runs/another%20run'", START_MS);
      await page.close();
    });
    await check('a workspace that was opened before is listed, and opened in a window of its own', async () => {
      page = await inHome(home, ['--home', otherHome]);
      await page.until('its first step', "return document.querySelector('#start-next')", START_MS);
      await page.until(
        'its place in the list',
        `return window.__TAURI_INTERNALS__.invoke('call', { command: 'workspaces_list', args: {} })
           .then((list) => list.some(({ folder, state }) => folder === '${otherHome}' && state === 'here'))`,
        START_MS,
      );
      await page.close();
      page = await inHome(home);
      await page.until('the window', "return document.querySelector('#menu')", START_MS);
      await page.run("location.hash = '#/settings'");
      const row = `[...document.querySelectorAll('[data-workspace]')].find((it) => it.dataset.workspace === '${otherHome}')`;
      await page.until('the workspace in the list', `return ${row}?.dataset.state === 'there'`, START_MS);
      if (shots) await page.screenshot(join(shots, 'recent-workspaces.png'));
      // That of the window before it would be taken for the new one's.
      await rm(join(otherHome, 'window/address'), { force: true });
      await page.run(`${row}.querySelector('[data-open="new"]').click()`);
      await waitFor(join(otherHome, 'window/address'));
      await startAgain(home, ['--home', otherHome]);
    });
  };
  /** Links that the window is started with, as the system does and `koab open`. */
  const linkTests = async () => {
    await check('a link leads to what it names', async () => {
      page = await inHome(home, ['koab://run/no%20such%20run/L1-001']);
      await page.until('the address', "return location.hash === '#/runs/no%20such%20run/L1-001'", START_MS);
      await page.until(
        'that there is no such run',
        `return document.querySelector('#main [role="alert"]')?.textContent.includes('no such run')`,
        START_MS,
      );
      await page.close();
    });
    await check('files that a link names are imported when the user says so, and not before', async () => {
      page = await inHome(home, [`koab://import?path=${encodeURIComponent(join(home, 'nothing here'))}`]);
      await page.until('the question', `return document.querySelector('[role="alertdialog"]')`, START_MS);
      const asked = await page.text('[role="alertdialog"]');
      holds(asked.includes(join(home, 'nothing here')), asked);
      if (shots) await page.screenshot(join(shots, 'link-import.png'));
      const buttons = `[...document.querySelectorAll('[role="alertdialog"] button')]`;
      const before = await page.run(`return ${buttons}.map((button) => button.textContent.trim())`);
      equal(before.length, 2);
      holds(
        !(await page.run(`return document.querySelector('[role="alert"], [role="dialog"]')`)),
        'it was read unasked',
      );
      await page.run(`${buttons}.at(-1).click()`);
      await page.until(
        'what is wrong with it',
        `return [...document.querySelectorAll('[role="alert"], [role="dialog"]')].some((it) => it.textContent.includes('nothing here'))`,
        START_MS,
      );
    });
  };
  await check('the window can be driven', async () => {
    page = await inHome(newHome);
    await firstStart(page);
    await page.close();
    page = await inHome(home);
    await tests(page, home, display.display);
    await cancelTests(page);
    await page.close();
    await linkTests();
    await windowTests();
  });
} finally {
  await page?.close();
  display.close();
  for (const folder of [home, newHome, otherHome]) await rm(folder, { recursive: true, force: true });
}
end();
