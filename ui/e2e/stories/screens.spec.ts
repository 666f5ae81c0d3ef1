// Every screen: nothing runs off the page, and axe finds nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { bringAxe, faintWords, findings } from '../axe.mjs';
import { closeAll, DIALOGS } from '../dialogs.mjs';
import { equal } from '../equal.mjs';
import { fits } from '../fits.mjs';
import { given } from '../given.ts';
import { withScreens } from '../prepared.mjs';
import { LANGUAGES, looked, screensOf, show, THEMES } from '../screens.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { frames, settled } from '../settled.mjs';
import { check, skip, story, test } from '../story.ts';

// Each is on a workspace of its own.
test.describe.configure({ mode: 'parallel' });

/** Each language and each theme once; with `--whole` each pair, which takes twice as long. */
const LOOKS = given.whole
  ? LANGUAGES.flatMap((language) => THEMES.map((theme) => ({ language, theme })))
  : LANGUAGES.map((language, at) => ({ language, theme: THEMES[at] }));

const FIRST = { width: 1280, height: 800 };
/** The smallest window, and a small laptop's at 200 %, which has half as many points each way. */
const SIZES = [
  { name: '1024 × 640', size: { width: 1024, height: 640 }, zoom: 1 },
  { name: '1280 × 800 at 200 %', size: { width: 1280, height: 800 }, zoom: 2 },
];

async function resized(page: Page, { width, height }: { width: number; height: number }, zoom = 1) {
  await page.setViewportSize({ width: Math.floor(width / zoom), height: Math.floor(height / zoom) });
  await frames(page);
  await settled(page);
}

for (const { language, theme } of LOOKS) {
  story(`screens-${language}-${theme}`, async (told) => {
    await withScreens(told, async ({ open, workspace }) => {
      const { page, context } = await open({ language, theme, size: FIRST });
      await bringAxe(page);
      for (const screen of screensOf(workspace, skip)) {
        let stands = false;
        await check(`axe finds nothing on ${screen.name} (${language}, ${theme})`, async () => {
          await show(page, screen, workspace);
          stands = true;
          equal(await findings(page), []);
          equal(await faintWords(page), [], 'words of charts below 4.5 : 1');
        });
        for (const [at, { name, size, zoom }] of SIZES.entries()) {
          await check(`${screen.name} fits into ${name} (${language}, ${theme})`, async () => {
            try {
              if (!stands) throw new Error('it was not shown');
              await resized(page, size, zoom);
              await fits(page, screen.over);
            } finally {
              // What was begun for it ends, and the next one is drawn at the first size.
              if (at === SIZES.length - 1) {
                await screen.after?.(page, workspace);
                await page.setViewportSize(FIRST);
              }
            }
          });
        }
      }
      for (const dialog of DIALOGS) {
        await check(
          `axe finds nothing with ${dialog.name} open, and Esc closes it (${language}, ${theme})`,
          async () => {
            try {
              await dialog.open(page, workspace);
              await settled(page);
              equal(await findings(page), []);
            } finally {
              await closeAll(page);
            }
          },
        );
      }
      await context.close();
    });
  });
}

// A page that is made smaller is not one that is first drawn small.
story('screens-small', async (told) => {
  await withScreens(told, async ({ open, workspace }) => {
    const dense = screensOf(workspace, () => undefined).filter(({ dense }) => dense);
    for (const [at, { name, size, zoom }] of SIZES.entries()) {
      const language = LANGUAGES[at];
      const { page, context } = await open({ language, size, zoom });
      for (const screen of dense) {
        await check(`${screen.name}, first drawn at ${name}, fits into it (${language})`, () =>
          looked(page, screen, workspace, () => fits(page, screen.over)),
        );
      }
      await context.close();
    }
  });
});

/** A workspace that cannot be opened has one page instead of all. */
story('screens-closed', async ({ koab, browser }) => {
  await inHome(async (home) => {
    await writeFile(join(home, 'koab.sqlite'), 'no database');
    const server = await serve(koab, home);
    let session;
    try {
      for (const language of LANGUAGES) {
        for (const theme of THEMES) {
          const { page, context, ...opened } = await openPage(browser, server, { session, language, theme });
          session = opened.session;
          await bringAxe(page);
          await check(`axe finds nothing where the workspace is closed (${language}, ${theme})`, async () => {
            await page.locator('[data-closed]').waitFor();
            equal(await findings(page), []);
          });
          await check(`why the workspace is closed is said in its language (${language}, ${theme})`, async () => {
            const said = await page.locator('[data-closed]').textContent();
            equal(
              [said.includes('is damaged'), said.includes('손상되었습니다')],
              [language === 'en', language === 'ko'],
            );
          });
          await context.close();
        }
      }
    } finally {
      await server.stop();
    }
  });
});
