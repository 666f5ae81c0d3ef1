// What lies over a screen when it is asked for, once each: what the accessibility checks and the pictures go through.
import * as act from './acts.mjs';
import { frames, settled } from './settled.mjs';

const at = async (page, hash) => {
  await act.go(page, hash);
  // What is there before the page has heard of its new address is the screen before.
  await frames(page);
  await settled(page);
};

/** `open` shows it on a page whose workspace is `filled` (workspace.mjs); Esc closes it. */
export const DIALOGS = [
  {
    name: 'palette',
    async open(page) {
      await act.runs(page);
      await page.keyboard.press('Control+k');
      await act.palette.open(page);
    },
  },
  {
    name: 'palette with a word for the search alone',
    async open(page) {
      await act.runs(page);
      await page.keyboard.press('Control+k');
      await act.palette.open(page);
      await page.keyboard.type('qqqq');
      await act.palette.items(page, 1);
    },
  },
  {
    name: 'menu',
    async open(page) {
      await act.runs(page);
      await page.locator('#menu').click();
      await page.locator('[role="menu"]').waitFor();
    },
  },
  { name: 'about', open: (page) => fromMenu(page, 'about', '#versions') },
  { name: 'shortcuts', open: (page) => fromMenu(page, 'shortcuts', '[data-deed="palette"]') },
  { name: 'new run', open: (page) => act.newRun(page) },
  {
    name: 'new connection',
    async open(page) {
      await at(page, '#/models');
      await page.locator('#connection-new').click();
      await page.locator('[data-connection-address]').waitFor();
    },
  },
  { name: 'where to import from', open: (page) => at(page, '#/reports?import=new') },
  {
    name: 'import',
    async open(page, { file }) {
      await act.runs(page);
      await act.chooseFiles(page, [file]);
      await page.locator('[role="dialog"] tbody tr').first().waitFor();
    },
  },
  {
    name: 'override',
    async open(page, { run, task }) {
      await at(page, `#/runs/${encodeURIComponent(run)}/${task}`);
      await act.override.begin(page, 'SR');
    },
  },
  {
    name: 'flag',
    async open(page, { task }) {
      await at(page, `#/tasks/${task}`);
      await page.locator('#flag').click();
      await page.locator('#flag-note').waitFor();
    },
  },
  {
    name: 'tags and note',
    async open(page, { report }) {
      await at(page, `#/reports/${encodeURIComponent(report)}`);
      await page.locator('[data-report-menu]').click();
      await page.locator('[data-remark]').click();
      await page.locator('#remark').waitFor();
    },
  },
  {
    name: 'tags and note of a run',
    async open(page, { run }) {
      await at(page, '#/runs');
      await page.locator(`[data-remark="${run}"]`).click();
      await page.locator('#remark').waitFor();
    },
  },
  {
    name: 'stop scenarios',
    async open(page) {
      await at(page, '#/scenarios');
      await page.locator('#scenario-cancel').click();
      await page.locator('[role="alertdialog"]').waitFor();
    },
  },
  {
    name: 'confirm delete',
    async open(page) {
      await act.library.go(page);
      await act.library.tickNewest(page);
      await page.locator('.toolbar [data-delete]').click();
      await page.locator('[role="alertdialog"]').waitFor();
    },
  },
];

async function fromMenu(page, action, shown) {
  await act.runs(page);
  await page.locator('#menu').click();
  await page.locator(`[data-action="${action}"]`).click();
  await page.locator(shown).waitFor();
}

/** Esc, until nothing lies over the screen any more. */
export async function closeAll(page) {
  await page.keyboard.press('Escape');
  await page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').waitFor({ state: 'detached' });
}
