// Every screen: nothing runs off the page, and axe finds nothing.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { closeAll, DIALOGS } from '../dialogs.mjs';
import { check, equal } from '../report.mjs';
import { LANGUAGES, SCREENS, settled, show, THEMES } from '../screens.mjs';
import { inHome, openPage, serve } from '../served.mjs';
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
      await use({ open, workspace });
    } finally {
      await server.stop();
    }
  });
}
