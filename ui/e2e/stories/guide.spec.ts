// The guide inside the window: reached by its key, from the menu and from screens, in the reader's language, and all of it from
// this machine.
import * as act from '../acts.mjs';
import { LANGUAGES } from '../screens.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { settled } from '../settled.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const TITLES = { en: ['First run', 'Connect models'], ko: ['첫 실행', '모델 연결'] };
/** Screens whose help is a page of their own. */
const HELPS = [
  ['#/runs', 'first-run'],
  ['#/reports', 'read-a-report'],
  ['#/compare', 'compare'],
  ['#/judging', 'judge-well'],
  ['#/packs', 'write-a-pack'],
  ['#/models', 'connect-models'],
  ['#/scenarios', 'scenarios'],
];

story('guide', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const server = await serve(koab, home);
    let session;
    for (const language of LANGUAGES) {
      const { page, context, complaints, ...opened } = await openPage(browser, server, { session, language });
      session = opened.session;
      const strangers = [];
      page.on('request', (request) => new URL(request.url()).origin !== server.origin && strangers.push(request.url()));
      await told(page, language);
      await check(`no request leaves this machine (${language})`, async () => equal(strangers, []));
      await check(`the page complains about nothing (${language})`, async () => equal(complaints, []));
      await context.close();
    }
    await server.stop();
  });
});

const title = (page) => page.locator('.rendered h1');
const titled = (page, text) => title(page).getByText(text, { exact: true }).waitFor();

async function told(page, language) {
  const [first, next] = TITLES[language];
  await check(`F1 opens the help on the screen that is shown, in its language (${language})`, async () => {
    await act.runs(page);
    await page.keyboard.press('F1');
    await titled(page, first);
    await expect(page.locator('[role="region"][lang]')).toHaveAttribute('lang', language);
  });
  await check(`a link leads to another page, and back (${language})`, async () => {
    await page.locator('.rendered a[href="#/help/connect-models"]').click();
    await titled(page, next);
    await page.locator('#help-back').click();
    await titled(page, first);
  });
  await check(`every page is in the list, and its pictures load (${language})`, async () => {
    const names = await page
      .locator('nav [data-page]')
      .evaluateAll((links) => links.map(({ dataset }) => dataset.page));
    let pictures = 0;
    for (const name of names.filter((name) => !name.startsWith('design/'))) {
      const link = page.locator(`nav [data-page="${name}"]`);
      await link.click();
      await titled(page, await link.innerText());
      const widths = await page
        .locator('.rendered img')
        .evaluateAll((images) => Promise.all(images.map((image) => image.decode().then(() => image.naturalWidth))));
      holds(
        widths.every((width) => width > 0),
        `${name}: ${widths}`,
      );
      pictures += widths.length;
    }
    holds(pictures >= 8, `${pictures} pictures`);
  });
  await check(`a screen's own link opens the page about it (${language})`, async () => {
    for (const [at, name] of HELPS) {
      await act.go(page, at);
      await page.locator(`#main [data-help="${name}"]`).first().click();
      await page.waitForFunction((at) => location.hash === at, `#/help/${name}`);
      await title(page).waitFor();
    }
  });
  await check(`palette and menu lead there (${language})`, async () => {
    await act.runs(page);
    await page.keyboard.press('Control+k');
    await act.palette.open(page);
    await page.keyboard.type('F1');
    await act.palette.marked(page, 'guide');
    await page.keyboard.press('Enter');
    await title(page).waitFor();
    equal(new URL(page.url()).hash, '#/help');
    await act.runs(page);
    await page.locator('#menu').click();
    await page.locator('[data-action="guide"]').click();
    await title(page).waitFor();
    await settled(page);
    equal(new URL(page.url()).hash, '#/help');
  });
}
