// Pictures of every screen in both themes and languages, for people to look at.
//
//   node e2e/shots.mjs KOAB FOLDER [SHARED]
//   node e2e/shots.mjs KOAB --guide FOLDER     those of the guide alone, small enough to be kept
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { guidePictures } from './guidePictures.mjs';
import { LANGUAGES, screensOf, show, THEMES } from './screens.mjs';
import { launch } from './served.mjs';
import { withScreens } from './stories/screens.mjs';

const given = process.argv.slice(2);
const guide = given.includes('--guide');
const [koab, folder, shared] = given.filter((word) => word !== '--guide').map((path) => resolve(path));
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 640 },
];

const browser = await launch();
if (guide) {
  await guidePictures({ koab, browser, tasks: join(import.meta.dirname, '../../tasks'), folder });
  await browser.close();
  process.exit();
}
await mkdir(folder, { recursive: true });
let pictures = 0;
await withScreens({ koab, browser, shared }, async ({ open, workspace }) => {
  const screens = screensOf(workspace, (lacking) => console.log(`no picture of ${lacking}`));
  for (const size of SIZES) {
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const { page, context } = await open({ language, theme, size });
        for (const screen of screens) {
          const name = `${screen.name.replaceAll(' ', '-')}-${size.width}-${theme}-${language}.png`;
          // A picture of what is there instead says most.
          await show(page, screen, workspace).catch((error) => console.log(`${name}: ${error.message.split('\n')[0]}`));
          await page.screenshot({ path: join(folder, name) });
          pictures += 1;
        }
        await context.close();
      }
    }
  }
});
await browser.close();
console.log(`${pictures} pictures in ${folder}`);
