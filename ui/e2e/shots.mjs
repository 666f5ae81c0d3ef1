// Pictures of every screen in both themes and languages, for people to look at.
//
//   node e2e/shots.mjs KOAB FOLDER [SHARED] [--only SCREEN,…] [--size 1440,1024,zoomed] [--whole]
//   node e2e/shots.mjs KOAB --guide FOLDER     those of the guide alone, small enough to be kept
//
// With --whole there is a second picture of every screen that has more than fits into the window: all of it.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { guidePictures } from './guidePictures.mjs';
import { withScreens } from './prepared.mjs';
import { LANGUAGES, looked, screensOf, THEMES } from './screens.mjs';
import { launch } from './served.mjs';
import { frames } from './settled.mjs';

/** A usual window, the smallest one, and a small laptop's at 200 %. */
const SIZES = [
  { name: '1440', size: { width: 1440, height: 900 } },
  { name: '1024', size: { width: 1024, height: 640 } },
  { name: 'zoomed', size: { width: 1280, height: 800 }, zoom: 2 },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    guide: { type: 'boolean' },
    whole: { type: 'boolean' },
    only: { type: 'string' },
    size: { type: 'string' },
  },
});
const [koab, folder, shared] = positionals.map((path) => resolve(path));
const isWanted = (list, name) => !list || list.split(',').includes(name);

/** The page as high as what is in it, where that is more than is shown; no higher than a picture can be read. */
async function grown(page) {
  const more = await page.evaluate(() =>
    Math.max(
      0,
      ...[...document.querySelectorAll('#main, #main *, [role="dialog"], [role="dialog"] *')]
        .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY) && one.clientHeight > 150)
        .map((one) => one.scrollHeight - one.clientHeight),
    ),
  );
  if (more < 8) return false;
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width, height: Math.min(height + more, 4000) });
  await frames(page);
  return true;
}

const browser = await launch();
if (values.guide) {
  await guidePictures({ koab, browser, tasks: join(import.meta.dirname, '../../tasks'), folder });
  await browser.close();
  process.exit();
}
await mkdir(folder, { recursive: true });
let pictures = 0;
await withScreens({ koab, browser, shared }, async ({ open, workspace }) => {
  const screens = screensOf(workspace, (lacking) => console.log(`no picture of ${lacking}`)).filter(({ name }) =>
    isWanted(values.only, name),
  );
  for (const { name: size, ...view } of SIZES.filter(({ name }) => isWanted(values.size, name))) {
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const { page, context } = await open({ language, theme, ...view });
        for (const screen of screens) {
          const name = `${screen.name.replaceAll(' ', '-')}-${size}-${theme}-${language}`;
          const take = async (more = '') => {
            await page.screenshot({ path: join(folder, `${name}${more}.png`) });
            pictures += 1;
          };
          let taken = false;
          await looked(page, screen, workspace, async () => {
            await take();
            taken = true;
            const viewport = page.viewportSize();
            if (values.whole && (await grown(page))) await take('-whole');
            await page.setViewportSize(viewport);
          }).catch(async (error) => {
            console.log(`${name}: ${error.message.split('\n')[0]}`);
            // A picture of what is there instead says most.
            if (!taken) await take();
          });
        }
        await context.close();
      }
    }
  }
});
await browser.close();
console.log(`${pictures} pictures in ${folder}`);
