// When a page stands still.

/** Nothing is on its way any more: no word says so, and two frames later none does either. */
export async function settled(page) {
  const still = () => !document.querySelector('[aria-busy="true"], [data-waiting]');
  await page.waitForFunction(still);
  await frames(page);
  await page.waitForFunction(still);
}

/** Two frames go by. */
export const frames = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
