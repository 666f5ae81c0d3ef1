// When a page stands still.

/** Nothing is on its way any more: no word says so, and two frames later none does either. */
export async function settled(page) {
  const still = () => !document.querySelector('[aria-busy="true"], [data-waiting]');
  await page.waitForFunction(still);
  await frames(page);
  await page.waitForFunction(still);
}

/** Waits until something holds that no element shows, such as what the engine answers. */
export async function until(page, what, holds, limit = 60_000) {
  for (const end = Date.now() + limit; Date.now() < end; await page.waitForTimeout(40)) if (await holds()) return;
  throw new Error(`waited in vain until ${what}`);
}

/** Two frames go by. */
export const frames = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
