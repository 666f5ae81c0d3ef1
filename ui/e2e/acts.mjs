// What a user does on the pages. The only file of the stories that knows how a page is built.

const LIMIT = { timeout: 120_000 };

export const form = {
  model: '#model',
  name: 'form input[type="text"]',
  url: 'form input[type="url"]',
  run: '#run',
};

/** Goes to a screen by its address. */
export const go = (page, at) => page.evaluate((at) => (location.hash = at), at);

/** The form for a new run. */
export async function newRun(page) {
  await go(page, '#/runs');
  await page.locator(`${form.run}:not([disabled])`).waitFor(LIMIT);
}

/** Chooses a model behind a server. */
export async function chooseServer(page, baseUrl, name) {
  await newRun(page);
  await page.selectOption(form.model, 'openai_compat/');
  await page.locator(form.name).first().fill(name);
  await page.locator(form.url).first().fill(baseUrl);
}

export async function startRun(page) {
  await newRun(page);
  await page.locator(form.run).click();
  await page.locator('[data-task]').first().waitFor(LIMIT);
}

/** How many tasks are in this state on the live grid. */
export const inState = (page, state) => page.locator(`[data-task][data-state="${state}"]`).count();

/** Tasks of the live grid that are over, however they ended. */
export const ended = (page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('[data-task]')].filter(
        ({ dataset }) => dataset.state !== 'waiting' && dataset.state !== 'running',
      ).length,
  );

export const tasks = (page) => page.locator('[data-task]').count();

export const running = (page) => page.locator('[data-task][data-state="running"]').first().waitFor(LIMIT);

export async function cancelRun(page) {
  await page.locator('#cancel').click();
  await page.locator('[data-phase="over"]').waitFor(LIMIT);
}

/** Goes on with the run that is shown, under the settings that it has. */
export async function resumeRun(page, baseUrl) {
  await page.locator('#resume').click();
  const address = page.locator('#resume-form input[type="url"]');
  if ((await address.count()) > 0) await address.fill(baseUrl);
  await page.locator('#resume-form button[type="submit"], [form="resume-form"]').click();
  await running(page);
}

/** Waits for the score table of the run that is shown and answers its levels. */
export async function scores(page) {
  await page.locator('#report-table tbody[data-level]').first().waitFor(LIMIT);
  return page.locator('#report-table tbody[data-level]').evaluateAll((bodies) => bodies.map((b) => b.dataset.level));
}

export const mean = (page, level, metric) =>
  page.locator(`[data-level="${level}"] [data-metric="${metric}"] .mean`).first().textContent().then((text) => text.trim());

/** Imports files as if they were chosen in the browser's dialog, and answers how many rows say what became of them. */
export async function importFiles(page, files) {
  // Waited for together: one that fails would otherwise leave the other's failure to nobody, and end the whole program.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#import').click()]);
  await chooser.setFiles(files);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor(LIMIT);
  const rows = await dialog.locator('tbody tr').count();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  return rows;
}

/** Clicks what saves a file, and answers the file's suggested name and where the browser put it. */
export async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).first().click()]);
  return { name: download.suggestedFilename(), path: await download.path() };
}

/** The palette, once its key has been pressed. */
export const palette = {
  open: (page) => page.waitForFunction(() => document.activeElement?.matches('.palette-input'), undefined, LIMIT),
  closed: (page) => page.locator('[role="dialog"]').waitFor({ state: 'detached' }),
  text: (page) => page.locator('.palette-input').inputValue(),
  items: (page, count) => page.waitForFunction((count) => document.querySelectorAll('.palette-item').length === count, count),
  /** Waits until Enter would take an item of this id, pattern or kind, and answers its id. */
  async marked(page, wanted) {
    const fits = typeof wanted === 'function' ? wanted : (item) => (wanted.test ? wanted.test(item) : wanted === item);
    let item;
    for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(20)) {
      const found = page.locator('.palette-item[aria-selected="true"]');
      item = (await found.count()) === 1 ? await found.getAttribute('data-item') : '';
      if (item && fits(item)) return item;
    }
    throw new Error(`Enter would take ${item || 'nothing'}`);
  },
};

/** Presses Tab until the element is focused, as somebody without a mouse does. */
export async function tabTo(page, selector, limit = 80) {
  for (let presses = 0; presses < limit; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector)) return;
  }
  throw new Error(`Tab reaches no ${selector} within ${limit} presses`);
}
