// Every screen: nothing runs off the page, and axe finds nothing.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { closeAll, DIALOGS } from '../dialogs.mjs';
import { check, equal, skip } from '../report.mjs';
import { LANGUAGES, looked, screensOf, THEMES } from '../screens.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { settled } from '../settled.mjs';
import { filled } from '../workspace.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** Each language and each theme once; with `--whole` each pair of them, which takes twice as long. */
const looks = (whole) =>
  whole
    ? LANGUAGES.flatMap((language) => THEMES.map((theme) => ({ language, theme })))
    : LANGUAGES.map((language, at) => ({ language, theme: THEMES[at] }));

/** The smallest window, and a small laptop's at 200 %. */
const SIZES = [
  { name: '1024 × 640', size: { width: 1024, height: 640 } },
  { name: '1280 × 800 at 200 %', size: { width: 1280, height: 800 }, zoom: 2 },
];

export async function layout(given) {
  await withScreens(given, async ({ open, workspace }) => {
    const screens = screensOf(workspace, skip);
    for (const { name, ...size } of SIZES) {
      for (const language of LANGUAGES) {
        const { page, context } = await open({ language, ...size });
        for (const screen of screens) {
          await check(`${screen.name} fits into ${name} (${language})`, async () => {
            await looked(page, screen, workspace, () => fits(page, screen.over));
          });
        }
        await context.close();
      }
    }
  });
}

/** Whether all that is shown has its place; `over`: something lies over the page. */
export async function fits(page, over = false) {
  const { wide, long, cut, covered, flat, short } = await page.evaluate(measure);
  equal([wide, long, cut], [0, 0, []], 'points wider and longer than the page, and what is cut off');
  equal([over ? [] : covered, flat], [[], []], 'texts that something lies over, and tables without room for a row');
  equal(short, [], 'headings that are cut short, and badges that a frame cuts');
}

/**
 * How much wider and longer than the page its content is; what can be used but lies outside, where no scrolling leads; texts
 * that something else lies over; tables that have rows and show none; headings that are not shown whole, and words on how
 * far a number can be compared that are cut before anybody has scrolled.
 */
function measure() {
  const reachable = (element) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      if ((overflowX === 'auto' || overflowX === 'scroll') && around.scrollWidth > around.clientWidth) return true;
    }
    return false;
  };
  const cut = [...document.querySelectorAll('button, a[href], input, select, textarea, h2, h3')].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    // One point wide: for screen readers only.
    if (width <= 1 || height <= 1 || getComputedStyle(element).visibility === 'hidden') return false;
    return (right > innerWidth + 1 || left < -1) && !reachable(element);
  });
  const main = document.getElementById('main').getBoundingClientRect();
  const sticks = (element) => {
    for (; element; element = element.parentElement) {
      if (['sticky', 'fixed'].includes(getComputedStyle(element).position)) return true;
    }
    return false;
  };
  const covered = [...document.querySelectorAll('#main *')].filter((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest('svg, select, .visually-hidden')) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + Math.min(width / 2, 8), top + height / 2];
    if (width <= 1 || x < main.left || x > main.right || y < main.top || y > main.bottom) return false;
    // What a scroller cuts off is not seen, and nothing lies over it.
    for (let around = element.parentElement; around; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      if (
        getComputedStyle(around).overflow !== 'visible' &&
        (x < box.left || x > box.right || y < box.top || y > box.bottom)
      )
        return false;
    }
    const there = document.elementFromPoint(x, y);
    return there && !element.contains(there) && !there.contains(element) && !sticks(there);
  });
  const flat = [...document.querySelectorAll('[role="grid"][aria-rowcount]')].filter(
    (table) => Number(table.getAttribute('aria-rowcount')) > 1 && table.getBoundingClientRect().height < 60,
  );
  const shortened = [...document.querySelectorAll('#main th, #main th *, #main [role="columnheader"] *')].filter(
    (element) =>
      getComputedStyle(element).textOverflow === 'ellipsis' &&
      element.checkVisibility() &&
      element.scrollWidth > element.clientWidth + 1,
  );
  const badges = [...document.querySelectorAll('#main [role="grid"] [data-grade]')].filter((badge) => {
    const { left, right } = badge.getBoundingClientRect();
    for (let around = badge.parentElement; around; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      if (getComputedStyle(around).overflowX !== 'visible' && left < box.right && right > box.right) return true;
    }
    return false;
  });
  const named = (element) => `${element.localName} ${element.textContent.trim().slice(0, 30)}`;
  return {
    wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    long: Math.max(0, document.documentElement.scrollHeight - innerHeight),
    covered: covered.slice(0, 5).map(named),
    flat: flat.map(named),
    cut: cut.slice(0, 5).map(named),
    short: [...shortened, ...badges].slice(0, 5).map(named),
  };
}

export async function accessibility(given) {
  const source = await readFile(AXE, 'utf8');
  await withScreens(given, async ({ open, workspace }) => {
    const screens = screensOf(workspace, skip);
    for (const { language, theme } of looks(given.whole)) {
      const { page, context } = await open({ language, theme });
      // By the debugger's way in: the content policy lets no script of a page in.
      await page.evaluate(source);
      for (const screen of screens) {
        await check(`axe finds nothing on ${screen.name} (${language}, ${theme})`, async () => {
          await looked(page, screen, workspace, async () => {
            equal(await findings(page), []);
            equal(await drawn(page).then(() => page.evaluate(faint)), [], 'words of charts below 4.5 : 1');
          });
        });
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
    }
  });
  await closedWorkspace(given, source);
}

/** A workspace that cannot be opened has one page instead of all. */
async function closedWorkspace({ koab, browser }, source) {
  await inHome(async (home) => {
    await writeFile(join(home, 'koab.sqlite'), 'no database');
    const server = await serve(koab, home);
    let session;
    try {
      for (const language of LANGUAGES) {
        for (const theme of THEMES) {
          const { page, context, ...opened } = await openPage(browser, server, { session, language, theme });
          session = opened.session;
          await page.evaluate(source);
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
}

/** Waits until every chart is drawn. */
async function drawn(page) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('#main figure [data-drawing]')].every((one) => one.querySelector('text')),
  );
}

/** Words of charts that do not stand out from the page: axe does not look into drawings. */
function faint() {
  const light = (colour) => {
    const [r, g, b] = colour
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((part) => part / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const words = [...document.querySelectorAll('#main figure [data-drawing] text')].filter((text) => {
    const [low, high] = [ground, light(getComputedStyle(text).fill)].sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05) < 4.5;
  });
  return [...new Set(words.map(({ textContent }) => textContent))].slice(0, 5);
}

export async function findings(page) {
  const found = await page.evaluate(
    (rules) => window.axe.run(document, { runOnly: rules, resultTypes: ['violations'] }),
    RULES,
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target }) => target.join(' '))
        .join(', ')}`,
  );
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

/** A server on a filled workspace; `open` opens a page of it. */
export async function withScreens({ koab, browser, shared }, use) {
  await inHome(async (home) => {
    const model = await scripted();
    const workspace = await filled(koab, home, shared, model);
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
      model.stop();
    }
  });
}
