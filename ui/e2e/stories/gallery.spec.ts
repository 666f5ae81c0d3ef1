// The kit on a page of its own: every part is there, axe finds nothing in any of its states, and nothing runs off a narrow page.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { THEMES } from '../screens.mjs';
import { bringAxe, findings } from '../axe.mjs';
import { equal } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const UI = join(import.meta.dirname, '../..');
/** What is not part of the kit: what tests mount. */
const TESTS = /ForTests$/;

story('gallery', async ({ browser }) => {
  const outDir = await mkdtemp(join(tmpdir(), 'koab-gallery-'));
  const given = { configFile: join(UI, 'vite.config.ts'), root: join(UI, 'e2e/gallery'), logLevel: 'error' as const };
  await build({ ...given, build: { outDir, emptyOutDir: true } });
  const server = await preview({ ...given, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  try {
    const parts = (await readdir(join(UI, 'src/shared')))
      .filter((file) => file.endsWith('.svelte'))
      .map((file) => file.replace('.svelte', ''))
      .filter((name) => !TESTS.test(name));
    for (const theme of THEMES as ('light' | 'dark')[]) {
      const context = await browser.newContext({ colorScheme: theme, viewport: { width: 640, height: 900 } });
      const page = await context.newPage();
      const faults = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(server.resolvedUrls.local[0]);
      await page.locator('[data-part]').first().waitFor();
      await bringAxe(page);
      await check(`every part of the kit is in the gallery (${theme})`, async () => {
        const shown = await page.locator('[data-part]').evaluateAll((all) => all.map((one) => one.dataset.part));
        equal(shown.sort(), parts.sort());
        equal(faults, []);
      });
      await check(`axe finds nothing in the gallery, and nothing runs off it (${theme})`, async () => {
        equal(await findings(page), []);
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'points too wide')
          .toBe(0);
      });
      for (const one of ['dialog', 'drawer', 'confirm', 'remark']) {
        await check(`axe finds nothing in the gallery's ${one}, and Esc closes it (${theme})`, async () => {
          await page.locator(`[data-open="${one}"]`).click();
          await page.getByRole(one === 'confirm' ? 'alertdialog' : 'dialog').waitFor();
          equal(await findings(page), []);
          await page.keyboard.press('Escape');
          await page.getByRole(one === 'confirm' ? 'alertdialog' : 'dialog').waitFor({ state: 'detached' });
        });
      }
      if (process.env.KOAB_GALLERY)
        await page.screenshot({ path: join(process.env.KOAB_GALLERY, `gallery-${theme}.png`), fullPage: true });
      await context.close();
    }
  } finally {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  }
});
