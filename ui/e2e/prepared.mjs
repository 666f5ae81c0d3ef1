// One filled workspace for all stories of a run. The first story that needs it makes it, and each
// story works on a copy.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from './acts.mjs';
import { scripted } from './scripted.mjs';
import { ask, inHome, openPage, serve } from './served.mjs';
import { until } from './settled.mjs';
import { filled } from './workspace.mjs';

/** Folder that the stories of this run share. */
const { common } = JSON.parse(process.env.KOAB_STORIES ?? '{}');

/** Folder of the shared workspace, and its contents (`filled` in workspace.mjs). */
async function prepared(koab, shared) {
  const folder = join(common, 'filled');
  const [home, told] = [join(folder, 'home'), join(folder, 'told.json')];
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const model = await scripted();
    try {
      await mkdir(home);
      const { server: _server, ...workspace } = await filled(koab, home, shared, model);
      await writeFile(told, JSON.stringify({ workspace }));
    } catch (error) {
      await writeFile(told, JSON.stringify({ failed: String(error?.stack ?? error) }));
    } finally {
      model.stop();
    }
  }
  let found;
  const read = async () => (found = JSON.parse((await readFile(told, 'utf8').catch(() => '')) || 'null'));
  await until({ waitForTimeout: (ms) => new Promise((done) => setTimeout(done, ms)) }, 'it is filled', read, 600_000);
  if (found.failed) throw new Error(`the workspace that stories share was not filled: ${found.failed}`);
  return { home, workspace: found.workspace };
}

/**
 * A copy of the filled workspace: its folder, its contents, and a scripted model server for new runs.
 * @param {{ koab: string, shared?: string }} told
 * @param {(home: string, workspace: any) => Promise<void>} use
 */
export async function inFilled({ koab, shared }, use) {
  await inHome(async (home) => {
    const server = await scripted();
    try {
      if (!common) return await use(home, await filled(koab, home, shared, server));
      const first = await prepared(koab, shared);
      await cp(first.home, home, { recursive: true });
      return await use(home, { ...first.workspace, server });
    } finally {
      server.stop();
    }
  });
}

/** Tries the model of the workspace, and starts scenarios in the server, of which one goes on until its workspace is gone. */
async function live(open, { going, model }) {
  const { page, context } = await open({});
  if (model) {
    await page.evaluate((model) => (location.hash = `#/models/${encodeURIComponent(model)}`), model);
    await act.localModels.try(page, { context: '4096' });
  }
  await ask(page, 'scenario_start', { request: { path: going, native: true, parallel: 2 } });
  await page.evaluate(() => (location.hash = '#/scenarios'));
  await page.locator('[data-cell]').first().waitFor();
  await context.close();
}

/**
 * A server on a filled workspace; `open` opens a page of it.
 * @param {{ koab: string, browser: import('@playwright/test').Browser, shared?: string }} told
 * @param {(there: { open: (options: object) => Promise<any>, workspace: any }) => Promise<void>} use
 */
export async function withScreens({ koab, browser, shared }, use) {
  await inFilled({ koab, shared }, async (home, workspace) => {
    const server = await serve(koab, home);
    let session;
    const open = async (options) => {
      const opened = await openPage(browser, server, { session, ...options });
      session = opened.session;
      return opened;
    };
    try {
      await live(open, workspace);
      await use({ open, workspace });
    } finally {
      await server.stop();
    }
  });
}
