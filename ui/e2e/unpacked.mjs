// The window as somebody starts it who has installed the package: no workspace is named, a home folder that is new.
//
//   node e2e/unpacked.mjs BINARY
//
// Run it under `dbus-run-session`, as a desktop has a session bus.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, end, equal, holds } from './report.mjs';
import { openDisplay, openSession } from './webdriver.mjs';

const START_MS = 60_000;
const binary = resolve(process.argv[2]);
const home = await mkdtemp(join(tmpdir(), 'koab-unpacked-'));
const display = await openDisplay();
const env = { DISPLAY: display.display, HOME: home, XDG_RUNTIME_DIR: home };
for (const name of ['KOAB_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME']) delete process.env[name];

try {
  let page;
  await check('the unpacked window starts in a new home folder and offers to begin', async () => {
    page = await openSession({ binary, env });
    await page.until('the first step', "return document.querySelector('#start-next')", START_MS);
  });
  await check('the workspace is where the system keeps data of programs', async () => {
    const workspace = await page.text('form .path');
    holds(workspace.startsWith(join(home, '.local/share')), `it is ${workspace}`);
    holds((await readdir(workspace)).includes('koab.sqlite'), 'it is empty');
  });
  await check('the rooms are there', async () => {
    await page.click('#start-skip');
    await page.until('the runs', "return document.querySelector('#new-run')", START_MS);
    equal(
      await page.run('return document.querySelectorAll(\'nav [data-room]:not([data-room="scenarios"])\').length'),
      5,
    );
  });
  await page?.close();
} finally {
  display.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
end();
