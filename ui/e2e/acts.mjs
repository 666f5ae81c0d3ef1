// What a user does on the pages. The only file of the stories that knows how a page is built.

import { AGAIN } from './again.mjs';
import { settled } from './settled.mjs';

const LIMIT = { timeout: 120_000 };

export const form = {
  /** The button that opens it. */
  open: '#new-run',
  model: '#model',
  name: 'form input[type="text"]:not([role="combobox"])',
  url: 'form input[type="url"]',
  run: '#run',
};

/** Goes to a screen by its address. */
export const go = (page, at) => page.evaluate((at) => (location.hash = at), at);

/** The form for a new run. */
export async function newRun(page) {
  await go(page, '#/runs?new=1');
  await page.locator(`${form.run}:not([disabled])`).waitFor(LIMIT);
}

/** The list of runs, with nothing over it. */
export async function runs(page) {
  await go(page, '#/runs');
  await page.locator(form.open).waitFor(LIMIT);
}

/** Types a model's whole id into its field and takes it. */
export async function chooseModel(page, id) {
  await page.locator(form.model).fill(id);
  await page.locator(form.model).press('Enter');
  await page.locator(form.model).and(page.locator('[aria-expanded="false"]')).waitFor(LIMIT);
}

/** Chooses a model behind a server. */
export async function chooseServer(page, baseUrl, name) {
  await newRun(page);
  await chooseModel(page, 'openai_compat/');
  await page.locator(form.name).first().fill(name);
  await page.locator(form.url).first().fill(baseUrl);
}

/** Names judges in a form, in the place of those that it has. */
export async function nameJudges(page, names, within = '') {
  const chips = page.locator(`${within} [data-chip] button`);
  while (await chips.count()) await chips.first().click();
  await page.locator(`${within} #judges`).fill(names);
  await page.locator(`${within} #judges`).press(names ? 'Enter' : 'Tab');
}

/** The form of an adaptive run of a model behind a server, judged there. */
export async function draftAdaptive(page, baseUrl, name) {
  await chooseServer(page, baseUrl, name);
  await nameJudges(page, 'openai_compat/judge');
  await page.locator('#judge-base-url').fill(baseUrl);
  await page.locator('input[name="scope"][value="adaptive"]').check();
}

/** Starts a run of a task with an agent that is used by hand; answers where its tools are. */
export async function startByHand(page, baseUrl, name, task) {
  await chooseServer(page, baseUrl, name);
  await page.selectOption('#agent', 'mcp-host');
  await page.locator('[data-by-hand]').waitFor(LIMIT);
  await page.check('[name="scope"][value="tasks"]');
  await page.check(`[data-pick="${task}"]`);
  await page.locator(`${form.run}:not([disabled])`).click();
  return page.locator('[data-hand-address]').innerText(LIMIT);
}

/** The page on which a server of tools is recorded. */
export const recording = {
  /** Fills in its form and starts. */
  async start(page, { name, line, mask = false }) {
    await page.locator('#record-name').fill(name);
    await page.locator('#record-command').fill(line);
    await page.locator('#record-mask').setChecked(mask);
    await page.locator('#record-start').click();
  },
  listening: (page) => page.locator('[data-recording="listening"]').waitFor(LIMIT),
  /** What it says for clients: `url` or `stdio`. */
  part: (page, name) => page.locator(`[data-record-part="${name}"]`).textContent(),
  counted: (page, calls) => page.locator(`[data-record-count="${calls}"]`).waitFor(LIMIT),
};

export async function startRun(page) {
  await newRun(page);
  await page.locator(form.run).click();
  await page.locator('[data-task]').first().waitFor(LIMIT);
}

/** How many tasks are in this state on the live grid. */
export const inState = (page, state) => page.locator(`[data-task][data-state="${state}"]`).count();

/** Ids of the tasks in this state. */
export const tasksIn = (page, state) =>
  page.locator(`[data-task][data-state="${state}"]`).evaluateAll((cells) => cells.map(({ dataset }) => dataset.task));

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

/** A run whose server is gone. */
export const unanswered = {
  /** Waits until the page says why nobody answers. */
  told: (page, why) => page.locator('[data-unanswered]', { hasText: why }).waitFor(LIMIT),
  /** Asks again; over when the run goes. */
  async retry(page) {
    await page.locator('#unpause').click();
    await page.locator('[data-unanswered]').waitFor({ ...LIMIT, state: 'detached' });
  },
  async goOnAt(page, baseUrl) {
    await page.locator('#address').click();
    await page.locator('#resume-form input[type="url"]').fill(baseUrl);
    await page.locator('[form="resume-form"]').click();
    await page.locator('[data-unanswered]').waitFor({ ...LIMIT, state: 'detached' });
  },
};

/** Makes the failed attempts of the run that is shown again. */
export async function repeatFailed(page) {
  await page.locator('#resume').click();
  await page.locator('[form="resume-form"]').click();
}

/** Goes on with the run that is shown, under the settings that it has. */
export async function resumeRun(page, baseUrl) {
  await page.locator('#resume').click();
  await page.locator('#resume-form').waitFor(LIMIT);
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

/** A mean of the score table, without its interval; the mean with people's word stands behind an arrow. */
export const mean = (page, level, metric) =>
  page
    .locator(`[data-level="${level}"] [data-metric="${metric}"] [data-mean]`)
    .first()
    .evaluate((cell) => {
      const copy = cell.cloneNode(true);
      for (const range of copy.querySelectorAll('.range')) range.remove();
      return copy.textContent.replace(/\s+/g, ' ').trim();
    });

/** Chooses files in the dialog of *Import…*. */
export async function chooseFiles(page, files) {
  await page.locator('#import').click();
  // Waited for together: one that fails would otherwise leave the other's failure to nobody, and end the whole program.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#import-files').click()]);
  await chooser.setFiles(files);
}

/** Imports files as if they were chosen in the browser's dialog, and answers how many rows there are. */
export async function importFiles(page, files) {
  await chooseFiles(page, files);
  return imported(page);
}

/** The same with a folder. */
export async function importFolder(page, folder) {
  await page.locator('#import').click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#import-folder').click()]);
  await chooser.setFiles(folder);
  return imported(page);
}

async function imported(page) {
  const dialog = page.locator('[role="dialog"]:not(:has(#import-files))');
  await dialog.locator('tbody tr').first().waitFor(LIMIT);
  const rows = await dialog.locator('tbody tr').count();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  return rows;
}

/** How long the first file may take before the button is pressed once more. */
const SILENCE_MS = 15_000;

/**
 * Presses the button that saves files, waits for all of them, and answers the first's name and where it lies; the others
 * are in `beside`, by name. The first is the one whose name is shortest: several begin at once, and the browser tells of them
 * in any order. A file too many is met by whoever saves next, so their number is stated.
 *
 * Now and then the browser tells of no file at all after a press. Then it is pressed once more, and that is printed with
 * what the page says, since a button that does nothing would be our fault.
 */
export async function saved(page, selector, count = 1) {
  const files = [];
  let take;
  const all = new Promise((done) => {
    take = (download) => files.push(download) === count && done(true);
    page.on('download', take);
  });
  const wait = (ms) => Promise.race([all, page.waitForTimeout(ms).then(() => false)]);
  const button = page.locator(selector).first();
  // A report's are in its menu.
  const menu = page.locator('[data-report-menu][aria-expanded="false"]');
  const opened = async () => selector.startsWith('[data-export') && (await menu.count()) > 0 && (await menu.click());
  const said = async () => {
    const texts = await page.locator('[role="alert"], [role="status"]').allTextContents();
    return `the page says: ${texts.map((text) => text.replace(/\s+/g, ' ').trim()).join(' | ') || 'nothing'}`;
  };
  try {
    // What the last press said may move the button from under the pointer.
    await settled(page);
    await opened();
    await button.evaluate((pressed) => {
      pressed.dataset.presses = '0';
      pressed.addEventListener('click', () => (pressed.dataset.presses = String(Number(pressed.dataset.presses) + 1)));
    });
    await button.click();
    if (!(await wait(SILENCE_MS)) && files.length === 0) {
      // In a menu it is gone with its press.
      const presses = await button.getAttribute('data-presses', { timeout: 1000 }).catch(() => 'some');
      console.log(`${AGAIN} nothing was saved by ${selector}, whose page heard ${presses} presses; ${await said()}`);
      await opened();
      await button.click();
    }
    if (!(await wait(LIMIT.timeout)))
      throw new Error(`${files.length} of ${count} files were saved by ${selector}; ${await said()}`);
  } finally {
    page.off('download', take);
  }
  const names = files.map((file) => file.suggestedFilename()).sort();
  const own = names.reduce((shortest, name) => (name.length < shortest.length ? name : shortest));
  const order = [own, ...names.filter((name) => name !== own)];
  const [file, ...beside] = await Promise.all(
    order.map(async (name) => ({ name, path: await files.find((file) => file.suggestedFilename() === name).path() })),
  );
  return { ...file, beside };
}

/** The palette, once its key has been pressed. */
export const palette = {
  open: (page) => page.waitForFunction(() => document.activeElement?.matches('[data-query]'), undefined, LIMIT),
  closed: (page) => page.locator('[role="dialog"]').waitFor({ state: 'detached' }),
  text: (page) => page.locator('[data-query]').inputValue(),
  items: (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll('[data-item]').length === count, count),
  /** Waits until Enter would take an item of this id, pattern or kind, and answers its id. */
  async marked(page, wanted) {
    const fits = typeof wanted === 'function' ? wanted : (item) => (wanted.test ? wanted.test(item) : wanted === item);
    let item;
    for (const end = Date.now() + 30_000; Date.now() < end; await page.waitForTimeout(20)) {
      const found = page.locator('[data-item][aria-selected="true"]');
      item = (await found.count()) === 1 ? await found.getAttribute('data-item') : '';
      if (item && fits(item)) return item;
    }
    throw new Error(`Enter would take ${item || 'nothing'}`);
  },
};

/** A person's word on a metric of the transcript that is shown. */
export const override = {
  /** The task's score as judged, and with the person's word where there is one. */
  async scores(page, metric) {
    const cell = page.locator(`tr[data-metric="${metric}"] td`).first();
    await cell.waitFor(LIMIT);
    await settled(page);
    return cell.evaluate((cell) => {
      const word = cell.querySelector('[data-over]');
      return [cell.firstChild.textContent.trim(), word ? word.lastChild.textContent.trim() : null];
    });
  },
  /** Opens the metric and the dialog by its key. */
  async begin(page, metric) {
    await tabTo(page, `tr[data-metric="${metric}"] button`);
    await page.keyboard.press('Enter');
    await page.locator(`[data-override="${metric}"]`).waitFor(LIMIT);
    await page.keyboard.press('o');
    await page.locator('#override-form').waitFor(LIMIT);
  },
  async said(page, by) {
    await page.locator('#override-form').waitFor({ state: 'detached', ...LIMIT });
    await page.locator('[data-overridden]').getByText(by).waitFor(LIMIT);
  },
  async remove(page, metric) {
    if ((await page.locator('[data-remove]').count()) === 0)
      await page.locator(`tr[data-metric="${metric}"] button`).click();
    await page.locator('[data-remove]').click();
    await page.locator('[data-answer="confirm"]:not([disabled])').click();
    await page.locator('[data-overridden]').waitFor({ state: 'detached', ...LIMIT });
  },
};

/** The library of reports, and the tags and note of one. */
export const library = {
  async go(page, query = '') {
    await go(page, `#/reports${query}`);
    await page.locator('search').waitFor(LIMIT);
    await settled(page);
  },
  rows: (page) => page.locator('[data-row]').evaluateAll((rows) => rows.map(({ dataset }) => dataset.row).sort()),
  /** Any report will do: the list draws those rows alone that are in sight. */
  tickNewest: (page) => page.locator('[data-row] input[type="checkbox"]').first().check(),
  tick: (page, id) => page.locator(`[data-row="${id}"] input[type="checkbox"]`).check(),
  async search(page, text) {
    const field = page.locator('search [role="combobox"]');
    await field.fill(text);
    // The list would lie over the rows.
    await field.press('Escape');
  },
  /** A filter as it is typed: `from(page, '2025-12-20')`. */
  async from(page, day) {
    const field = page.locator('search [role="combobox"]');
    await field.fill(`date>=${day}`);
    await field.press('Enter');
  },
  /** Chooses a filter and its value from the lists. */
  async choose(page, filter, value) {
    const field = page.locator('search [role="combobox"]');
    await field.fill(filter);
    await page.locator(`[role="option"][data-value="${filter}"]`).click();
    await page.locator(`[role="option"][data-value="${filter}=${value}"]`).click();
    await page.locator(`[data-filter="${filter}"]`).waitFor(LIMIT);
  },
  clear: (page) => page.locator('[data-clear-filters]').click(),
  async remark(page, tags, note) {
    await page.getByRole('button', { name: 'Tags and note…' }).click();
    await page.locator('#remark input').fill(tags);
    await page.locator('#remark textarea').fill(note);
    await page.locator('button[form="remark"]').click();
    await page.locator('#remark').waitFor({ state: 'detached', ...LIMIT });
    await settled(page);
  },
  askDelete: (page) => page.getByRole('button', { name: 'Delete', exact: true }).click(),
  undo: (page) => page.getByRole('button', { name: 'Undo' }).click(),
};

/** Answers the question that lies over the screen. */
export async function answer(page, yes) {
  await page.locator(`[data-answer="${yes ? 'confirm' : 'cancel'}"]`).click();
  await page.locator('[role="alertdialog"]').waitFor({ state: 'detached', ...LIMIT });
}

/** Presses Tab until the element is focused, as somebody without a mouse does. */
export async function tabTo(page, selector, limit = 80) {
  for (let presses = 0; presses < limit; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector)) return;
  }
  throw new Error(`Tab reaches no ${selector} within ${limit} presses`);
}

/** The models on this computer, on the Models screen. */
export const localModels = {
  /** Looks a repository up; answers what is shown of it. */
  async find(page, repo) {
    await page.locator('#hub-repo').fill(repo);
    await page.locator('#hub-form [type="submit"]').click();
    return page.locator('#hub-found').innerText(LIMIT);
  },
  async fetch(page, file) {
    await page.locator(`[name="offer"][value="${file}"]`).check();
    await page.locator('#hub-fetch').click();
  },
  /** Waits until so many bytes of a download are there. */
  half: (page, bytes) =>
    page.waitForFunction(
      (bytes) => (document.querySelector('[data-pull] progress')?.value ?? 0) >= bytes,
      bytes,
      LIMIT,
    ),
  async pull(page, word, standing) {
    await page.locator('[data-pull]').getByRole('button', { name: word }).click();
    await page.locator(`[data-standing="${standing}"]`).waitFor(LIMIT);
  },
  /** Tries the model of the open page with these settings; answers what was found. */
  async try(page, settings) {
    await page.locator('#trial-begin:not([disabled])').waitFor(LIMIT);
    for (const [field, value] of Object.entries(settings)) {
      const input = page.locator(`#trial [data-field="${field}"]`);
      await ((await input.evaluate(({ tagName }) => tagName)) === 'SELECT'
        ? input.selectOption(value)
        : input.fill(value));
    }
    await page.locator('#trial-begin').click();
    await page.locator('[data-trial="over"]').waitFor({ state: 'attached', ...LIMIT });
    return page.locator('[data-trial-result]').innerText(LIMIT);
  },
  goOn: (page) => page.locator('[data-pull]').getByRole('button', { name: 'Resume' }).click(),
  async remove(page, id) {
    await page.locator(`[data-model="${id}"]`).getByRole('button').click();
    await page.locator('[data-answer="confirm"]').click();
  },
};

/** What a run missed, and what is done about it. */
export const misses = {
  async open(page) {
    await page.locator('[data-part="misses"]').click();
    await page.locator('#misses-title').waitFor(LIMIT);
    await settled(page);
  },
  rows: (page) =>
    page
      .locator('[data-task-misses] [data-miss]')
      .evaluateAll((rows) =>
        rows.map((row) => [row.closest('[data-task-misses]').dataset.taskMisses, row.dataset.standing]),
      ),
  /** Opens the question; answers what is said of each service. */
  async plan(page) {
    await page.locator('#fill:not([disabled])').click();
    await page.locator('#fill-go').waitFor(LIMIT);
    await settled(page);
    return page
      .locator('[role="dialog"] [data-service]')
      .evaluateAll((rows) => rows.map((row) => row.innerText.replace(/\s+/g, ' ').trim()));
  },
  async fill(page) {
    await page.locator('#fill-go').click();
    await page.locator('[data-filled]').waitFor(LIMIT);
    await settled(page);
    return page.locator('[data-filled] p').innerText();
  },
  /** Opens the first missed call where it stands in its transcript; answers which element is gone to. */
  async toCall(page) {
    await page.locator('[data-miss] [data-call-link]').first().click();
    await page.waitForFunction(() => document.activeElement?.id.startsWith('call-'), undefined, LIMIT);
    return page.evaluate(() => document.activeElement.id);
  },
  async again(page) {
    await page.locator('#rerun:not([disabled])').click();
    await page.locator('#rerun-go').click();
    await page.locator('[data-completes]').waitFor(LIMIT);
    await page.locator('[data-phase="over"]').waitFor(LIMIT);
  },
};

/** Where the form answers tool calls from. */
export const cache = {
  async choose(page, kind) {
    await newRun(page);
    await page.locator(`input[name="cache"][value="${kind}"]`).check();
    await page.locator('[data-service]').first().waitFor(LIMIT);
  },
  services: (page) =>
    page.locator('[data-service]').evaluateAll((rows) => rows.map((row) => row.innerText.replace(/\s+/g, ' '))),
};

/** What is of other benchmarks: their packs, runs and reports. */
export const items = {
  /** Fills in the form for a run of the pack by a model behind the address, with a judge there or with none, and starts it. */
  async run(page, { pack, model, baseUrl, judge = null }) {
    await chooseServer(page, baseUrl, model);
    await page.selectOption('#pack', pack);
    if (judge) {
      if (await page.locator('#to-judges').count()) await page.locator('#to-judges').click();
      await nameJudges(page, `openai_compat/${judge}`);
      await page.locator('#judge-base-url').fill(baseUrl);
    } else if (await page.locator('#judges').count()) await nameJudges(page, '');
    await page.locator(form.run).click();
    await page.locator('[data-task]').first().waitFor(LIMIT);
  },
  /** Goes from a run that is scored to its report, and waits for all of it. */
  async report(page) {
    await page.locator('#report-table [data-metric="SR"]').first().waitFor(LIMIT);
    await page.locator('#open-report').click();
    await page.locator('[data-table]').first().waitFor(LIMIT);
    await settled(page);
  },
  /** The authors' tables of the report that is shown: their cells as they are printed, by table and name. */
  tables: (page) =>
    page
      .locator('[data-table]')
      .evaluateAll((tables) =>
        tables.map((table) => [
          table.dataset.table,
          [...table.querySelectorAll('tbody tr')].map((row) =>
            [...row.children].slice(0, 2).map((cell) => cell.textContent.trim()),
          ),
        ]),
      ),
  /** Opens a metric of the transcript that is shown; answers what the judges said of it. */
  async words(page, metric) {
    await page.locator(`tr[data-metric="${metric}"] button`).click();
    await page.locator(`tr[data-why="${metric}"] [data-reason]`).first().waitFor(LIMIT);
    await settled(page);
    return page.locator(`tr[data-why="${metric}"] [data-reason]`).allInnerTexts();
  },
};
