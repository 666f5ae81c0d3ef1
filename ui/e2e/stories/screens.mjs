// Every screen: nothing runs off the page, and axe finds nothing.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { closeAll, DIALOGS } from '../dialogs.mjs';
import { check, equal } from '../report.mjs';
import { LANGUAGES, SCREENS, settled, show, THEMES } from '../screens.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { filled } from '../workspace.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** The smallest window, and a laptop's at 200 %. */
const SIZES = [
  { name: '1024 × 640', size: { width: 1024, height: 640 } },
  { name: '1440 × 900 at 200 %', size: { width: 1440, height: 900 }, zoom: 2 },
];

export async function layout(given) {
  await withScreens(given, async ({ open, workspace }) => {
    for (const { name, ...size } of SIZES) {
      for (const language of LANGUAGES) {
        const { page, context } = await open({ language, ...size });
        for (const screen of SCREENS) {
          await check(`${screen.name} fits into ${name} (${language})`, async () => {
            if (!(await show(page, screen, workspace))) return;
            const { wide, cut } = await page.evaluate(measure);
            equal([wide, cut], [0, []], 'points wider than the page, and what is cut off');
          });
        }
        await context.close();
      }
    }
  });
}

/** How much wider than the page its content is, and what can be used but lies outside, where no scrolling leads. */
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
  return {
    wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    cut: cut.slice(0, 5).map((element) => `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 30)}`),
  };
}

export async function accessibility(given) {
  const source = await readFile(AXE, 'utf8');
  await withScreens(given, async ({ open, workspace }) => {
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const { page, context } = await open({ language, theme });
        // By the debugger's way in: the content policy lets no script of a page in.
        await page.evaluate(source);
        for (const screen of SCREENS) {
          await check(`axe finds nothing on ${screen.name} (${language}, ${theme})`, async () => {
            if (await show(page, screen, workspace)) equal(await findings(page), []);
          });
        }
        for (const dialog of DIALOGS) {
          await check(`axe finds nothing with ${dialog.name} open, and Esc closes it (${language}, ${theme})`, async () => {
            try {
              await dialog.open(page, workspace);
              await settled(page);
              equal(await findings(page), []);
            } finally {
              await closeAll(page);
            }
          });
        }
        await context.close();
      }
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
            equal([said.includes('is damaged'), said.includes('손상되었습니다')], [language === 'en', language === 'ko']);
          });
          await context.close();
        }
      }
    } finally {
      await server.stop();
    }
  });
}

async function findings(page) {
  const found = await page.evaluate(
    (rules) => window.axe.run(document, { runOnly: rules, resultTypes: ['violations'] }),
    RULES,
  );
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(', ')}`,
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
    const workspace = await filled(koab, home, shared);
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
