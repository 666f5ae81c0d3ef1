// What axe finds on a page, and what it does not look at.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** Loads axe into the page through the debugger: the content policy of the page blocks scripts. */
export const bringAxe = async (page) => page.evaluate(await readFile(AXE, 'utf8'));

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

/** Words of charts below 4.5 : 1, once every chart is drawn. */
export async function faintWords(page) {
  await drawn(page);
  return page.evaluate(faint);
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
