// Whether all that a page shows has its place.
import { equal } from './equal.mjs';

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
