// Updates of the real window, end to end: a window built with a key and a server of this script's own.
//
//   node e2e/updates.mjs [BINARY KEY_FILE]
//
// Without arguments it makes a key and builds the window, which takes a few minutes; with them it drives one that was built so. Needs
// WebKitWebDriver, and Xvfb where there is no display. It is no step of `cargo xtask test`, for the build that it takes.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, end, equal } from './report.mjs';
import { openDisplay, openSession } from './webdriver.mjs';

/** The address is in the built window. */
const PORT = 47811;
const VERSION = '99.0.0';
const START_MS = 60_000;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const tauri = join(root, 'ui/node_modules/.bin/tauri');
const folder = await mkdtemp(join(tmpdir(), 'koab-updates-'));

async function build() {
  const key = join(folder, 'key');
  execFileSync(tauri, ['signer', 'generate', '--ci', '-p', '', '-w', key], { stdio: 'ignore' });
  const pubkey = (await readFile(`${key}.pub`, 'utf8')).trim();
  const endpoints = [`http://127.0.0.1:${PORT}/latest.json`];
  const config = { plugins: { updater: { pubkey, endpoints, requireSignedVersion: true } } };
  const options = ['build', '--workspace', '--features', 'koab-desktop/custom-protocol'];
  const env = { ...process.env, TAURI_CONFIG: JSON.stringify(config) };
  execFileSync('cargo', options, { cwd: root, stdio: 'inherit', env });
  return [join(root, 'target/debug/koab-desktop'), key];
}

/** A package and its signature, for this version. */
async function signed(key, name, content, version) {
  const file = join(folder, name);
  await writeFile(file, content);
  execFileSync(tauri, ['signer', 'sign', '-f', key, '-p', '', '--app-version', version, file], { stdio: 'ignore' });
  return (await readFile(`${file}.sig`, 'utf8')).trim();
}

const [built, key] = process.argv.length > 3 ? process.argv.slice(2) : await build();
// What is installed goes over the program itself.
const binary = join(folder, 'koab-desktop');
await copyFile(built, binary);

const asked = [];
const files = new Map();
const server = createServer((request, response) => {
  asked.push(request.url);
  const content = files.get(request.url);
  response.statusCode = content === undefined ? 404 : 200;
  response.end(content);
});
await new Promise((ready) => server.listen(PORT, '127.0.0.1', ready));
const offer = (signature, content) => {
  const url = `http://127.0.0.1:${PORT}/package`;
  const one = { signature, url };
  files.set(
    '/latest.json',
    JSON.stringify({ version: VERSION, platforms: { 'linux-x86_64': one, 'linux-aarch64': one } }),
  );
  files.set('/package', content);
};

const home = join(folder, 'home');
const display = await openDisplay();
const open = () =>
  openSession({
    binary,
    env: {
      DISPLAY: display.display,
      KOAB_HOME: home,
      XDG_DATA_HOME: join(folder, 'xdg-data'),
      XDG_CACHE_HOME: join(folder, 'xdg-cache'),
      XDG_CONFIG_HOME: join(folder, 'xdg-config'),
    },
  });
let page;
try {
  // Of a window that no package brought, the plugin replaces the program by whatever is one.
  const newer = `\x7fELF${' a newer window'.repeat(9)}`;
  const good = await signed(key, 'good', newer, VERSION);
  await check('the window starts', async () => {
    page = await open();
  });
  await check('nothing is asked of the server in the first start, nor before the user says so', async () => {
    await page.until('the first step', "return document.querySelector('#start-next')", START_MS);
    equal(await page.run("return document.querySelector('[data-updates]')"), null);
    await page.click('#start-next');
    await page.until('the second step', "return document.querySelector('#start-skip')", START_MS);
    await page.click('#start-skip');
    await page.until('the question', "return document.querySelector('#updates-yes')", START_MS);
    equal((await page.text('[data-updates]')).includes('127.0.0.1'), true);
    equal(asked, []);
  });
  offer(good, 'something else');
  await check('a yes looks at once, and what is newer is told', async () => {
    await page.click('#updates-yes');
    await page.until('the news', "return document.querySelector('#updates-install')", START_MS);
    equal((await page.text('[data-updates]')).includes(VERSION), true);
    equal(asked, ['/latest.json']);
  });
  await check('a package that the key has not signed is not installed', async () => {
    const before = await readFile(binary);
    await page.click('#updates-install');
    await page.until('why not', `return document.querySelector('[data-updates] [role="alert"]')`, START_MS);
    equal(asked.at(-1), '/package');
    equal((await readFile(binary)).equals(before), true);
  });
  await check('nor is an older one under a newer version', async () => {
    offer(await signed(key, 'old', newer, '0.0.1'), newer);
    await page.run("location.hash = '#/settings'");
    await page.until('the settings', "return document.querySelector('#updates-now:not(:disabled)')", START_MS);
    const before = asked.length;
    await page.click('#updates-now');
    await page.until('the look', "return document.querySelector('#updates-now:not(:disabled)')", START_MS);
    equal(asked.slice(before), ['/latest.json']);
    const program = await readFile(binary);
    await page.click('#updates-install');
    await page.until('why not', `return document.querySelector('[data-updates] [role="alert"]')`, START_MS);
    equal((await readFile(binary)).equals(program), true);
  });
  await check('the next start looks no more on the same day, and asks nothing again', async () => {
    await page.close();
    const before = asked.length;
    page = await open();
    await page.until('the window', "return document.querySelector('#menu')", START_MS);
    await page.run("location.hash = '#/settings'");
    await page.until('the setting', "return document.querySelector('#settings-updates')?.checked", START_MS);
    equal(await page.run("return document.querySelector('#updates-yes')"), null);
    equal(asked.slice(before), []);
  });
  await check('a press installs what the key has signed', async () => {
    offer(good, newer);
    await page.click('#updates-now');
    await page.until('the news', "return document.querySelector('#updates-install:not(:disabled)')", START_MS);
    await page.click('#updates-install');
    await page.until(
      'its end',
      `return document.querySelector('[data-updates] [role="status"]') && !document.querySelector('#updates-install')`,
      START_MS,
    );
    equal((await readFile(binary, 'utf8')) === newer, true);
  });
} finally {
  await page?.close();
  display.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
}
end();
