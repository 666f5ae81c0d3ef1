// `koab serve` in a workspace of its own, and a browser on it.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';

/** What keeps a browser of a test to itself: no first-run pages, no updates, no connections of its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's browser, or the one that KOAB_CHROMIUM names. */
export const BROWSER = { executablePath: process.env.KOAB_CHROMIUM ?? '/usr/bin/chromium', args: FLAGS };

export const launch = () => chromium.launch(BROWSER);

/** How many times slower the processor of a page is. */
const SLOW = Number(JSON.parse(process.env.KOAB_STORIES ?? '{}').slow ?? 1);

/** What runs for stories. A story that fails before it stops its server leaves it here. */
const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Ends what a story left running. */
export async function endAll() {
  const ends = [...running].map((child) => new Promise((ended) => child.once('exit', ended) && child.kill('SIGKILL')));
  await Promise.all(ends);
}

/** A program of this machine with a first line, such as a server that says where it listens. */
async function program(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  // Written by this process, so that the reporter prints it with the story.
  child.stderr.on('data', (piece) => process.stderr.write(piece));
  running.add(child);
  const ended = new Promise((resolve) => child.once('exit', (code) => (running.delete(child), resolve(code))));
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise((resolve, reject) => {
    child.once('error', reject);
    lines.once('line', resolve);
    void ended.then((code) => reject(new Error(`${command} ended with ${code} before it said anything`)));
  });
  return { child, ended, first };
}

/** `koab serve`; `port` as the command line takes it. The page is that of the checkout, or the one KOAB_UI names. */
export async function serve(koab, home, port = 0, environment = {}) {
  const options = { env: { ...process.env, KOAB_HOME: home, LC_ALL: 'en_US.UTF-8', ...environment } };
  const page = process.env.KOAB_UI ? ['--ui', process.env.KOAB_UI] : [];
  const { child, ended, first } = await program(koab, ['serve', '--port', String(port), ...page], options);
  return {
    link: first,
    port: Number(new URL(first).port),
    origin: new URL(first).origin,
    /** As Ctrl-C; answers the exit code. */
    stop: () => (child.kill('SIGINT'), ended),
    kill: () => (child.kill('SIGKILL'), ended),
  };
}

/** The reference model server: plays published logs back. */
export async function replayServer(shared, options = []) {
  const words = [
    join(shared, 'tools/replay_llm.py'),
    '--logs',
    join(shared, 'parity/logs'),
    '--tasks',
    join(shared, 'ko-agentbench/tasks'),
    '--port',
    '0',
    ...options,
  ];
  const { child, ended, first } = await program('python3', words);
  const address = /http:\/\/\S+/.exec(first)?.[0];
  return {
    baseUrl: `${address}/v1`,
    /** How often it was asked for an answer. */
    requests: async () => (await (await fetch(`${address}/stats`)).json()).requests,
    stop: () => (child.kill(), ended),
  };
}

/** A workspace that is removed when `use` is over. */
export async function inHome(use) {
  const home = await mkdtemp(join(tmpdir(), 'koab-e2e-'));
  try {
    return await use(home);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * A page of the served UI. `session` is that of an earlier page of the same server, else the link buys one. The
 * workspace is past its first start unless the story is a `newcomer`'s. What the page complains about (errors, refused by
 * the content policy) is gathered in `complaints`.
 * @param {import('@playwright/test').Browser} browser
 * @param {{ origin: string, link: string }} server
 * @param {{ language?: string, theme?: string, session?: string, at?: string, zoom?: number,
 *   size?: { width: number, height: number }, newcomer?: boolean }} options
 */
export async function openPage(browser, server, options = {}) {
  const { language = 'en', theme = 'light', session, size = { width: 1280, height: 800 } } = options;
  const { at = '', zoom = 1, newcomer = false } = options;
  const context = await browser.newContext({
    // As a browser does it: the same screen has fewer and larger points.
    viewport: { width: Math.floor(size.width / zoom), height: Math.floor(size.height / zoom) },
    deviceScaleFactor: zoom,
    locale: language === 'ko' ? 'ko-KR' : 'en-US',
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  await context.addInitScript(
    ([language, theme, session]) => {
      localStorage.setItem('koab.language', language);
      localStorage.setItem('koab.theme', theme);
      if (session) sessionStorage.setItem('koab.session', session);
    },
    [language, theme, session],
  );
  const page = await context.newPage();
  if (SLOW > 1) {
    const debug = await context.newCDPSession(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  }
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on(
    'console',
    (message) => message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`),
  );
  await page.goto(session ? `${server.origin}/${at}` : server.link);
  await page.locator('#main').waitFor();
  const kept = await page.evaluate(() => sessionStorage.getItem('koab.session'));
  const { settings } = await ask(page, 'settings_get');
  await ask(page, 'settings_set', { settings: { ...settings, language, theme, welcomed: !newcomer } });
  await page.goto(`${server.origin}/${at}`);
  await page.reload();
  await page.locator('#main').waitFor();
  return { page, context, complaints, session: kept };
}

/**
 * Calls a command as the page does.
 * @param {import('@playwright/test').Page} page
 * @param {string} command
 * @returns {Promise<any>}
 */
export const ask = (page, command, args = {}) =>
  page.evaluate(
    async ([command, body]) => {
      const headers = { authorization: `Bearer ${sessionStorage.getItem('koab.session')}` };
      return (await fetch(`/api/call/${command}`, { method: 'POST', headers, body })).json();
    },
    [command, JSON.stringify(args)],
  );
