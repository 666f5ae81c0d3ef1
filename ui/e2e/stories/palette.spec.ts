// The command palette with the keyboard alone, in both languages: no mouse is used in this story.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { commit, compose, composing, press } from '../hangul.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

/** 설정, as it is typed. */
const SETTINGS = [
  ['ㅅ', '서', '설'],
  ['ㅈ', '저', '정'],
];

sharedStory('palette', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    await command(koab, home, 'report', 'import', join(shared, 'parity/reports'));
    const server = await serve(koab, home);
    const english = await openPage(browser, server, { language: 'en' });
    await inEnglish(english.page);
    await check('the page complains about nothing (en)', async () => equal(english.complaints, []));
    await english.context.close();
    const korean = await openPage(browser, server, { language: 'ko', session: english.session });
    await inKorean(korean.page, await oneTask(shared));
    await check('the page complains about nothing (ko)', async () => equal(korean.complaints, []));
    await korean.context.close();
    await server.stop();
  });
});

async function inEnglish(page) {
  await act.newRun(page);
  await check('the palette opens by its key, also from a text field, and Esc gives the focus back', async () => {
    await act.chooseModel(page, 'openai_compat/');
    await act.tabTo(page, act.form.name);
    await page.keyboard.press('Control+k');
    await act.palette.open(page);
    await page.keyboard.press('Escape');
    await page.waitForFunction((name) => document.activeElement.matches(name), act.form.name);
    await page.keyboard.press('Control+k');
    await act.palette.open(page);
    await page.keyboard.press('Control+k');
    await expect(page.locator('[data-query]')).toHaveCount(0);
    await expect(page.locator(act.form.name).first()).toBeFocused();
  });
  await check('an English word finds a screen, and Enter goes there', async () => {
    await search(page, 'settings');
    await page.keyboard.press('Enter');
    await act.palette.closed(page);
    await at(page, '#/settings');
    await expect(page.locator('nav [data-room][aria-current="page"]')).toHaveAttribute('data-room', 'settings');
  });
  await check('words of a model find its report', async () => {
    await search(page, 'nova lite');
    await act.palette.marked(page, /^report-/);
    await page.keyboard.press('Enter');
    await at(page, '#/reports/bedrock_us.amazon.nova-lite-v1_20251219');
    await page.locator('[data-report-menu]').waitFor();
  });
  await check('arrow keys choose among what is found', async () => {
    await search(page, 'azure');
    const first = await act.palette.marked(page, /^report-azure/);
    await page.keyboard.press('ArrowDown');
    const second = await act.palette.marked(page, (item) => item !== first);
    await page.keyboard.press('Enter');
    await at(page, `#/reports/${second.replace('report-', '')}`);
  });
  await check('an action is done', async () => {
    await search(page, 'dark theme');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect.poll(async () => (await ask(page, 'settings_get')).settings.theme).toBe('dark');
  });
  await check('what is not there is said, and only the transcripts are left to search', async () => {
    await search(page, 'qqqq');
    await act.palette.items(page, 1);
    await expect(page.locator('[role="dialog"]')).toContainText('Nothing matches “qqqq”.');
    await page.keyboard.press('Escape');
    await act.palette.closed(page);
  });
  await check('the list of shortcuts opens by its key and closes by Esc', async () => {
    await page.keyboard.press('Shift+?');
    await page.locator('[data-deed="palette"]').waitFor();
    await page.keyboard.press('Escape');
    await act.palette.closed(page);
  });
}

async function inKorean(page, task) {
  await act.runs(page);
  await check('Enter that ends a syllable chooses nothing, Esc that ends one closes nothing', async () => {
    await page.keyboard.press('Control+k');
    await act.palette.open(page);
    const before = page.url();
    await composing(page, '설');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await settled(page);
    await expect(page.locator('[role="dialog"]')).toHaveCount(1);
    equal(page.url(), before);
    await commit(page, '설');
    await expect.poll(() => act.palette.text(page)).toEqual('설');
  });
  await check('arrow keys while a syllable is composed are the input method’s', async () => {
    await page.keyboard.press('Backspace');
    await composing(page, '보');
    await settled(page);
    await expect.poll(() => page.locator('[data-item]').count(), 'something to choose among').toBeGreaterThan(1);
    const marked = await act.palette.marked(page, () => true);
    await page.keyboard.press('ArrowDown');
    await settled(page);
    await expect.poll(() => act.palette.marked(page, () => true)).toEqual(marked);
    await commit(page, '보');
    await page.keyboard.press('ArrowDown');
    await act.palette.marked(page, (item) => item !== marked);
    await page.keyboard.press('Backspace');
    await expect.poll(() => act.palette.text(page)).toEqual('');
  });
  await check('a Korean word finds a screen, and Enter goes there', async () => {
    await compose(page, ...SETTINGS);
    await act.palette.marked(page, 'screen-settings');
    await page.keyboard.press('Enter');
    await act.palette.closed(page);
    await at(page, '#/settings');
  });
  await check('composed and typed again after Esc, it is found again', async () => {
    await act.go(page, '#/tasks');
    await page.keyboard.press('Control+k');
    await act.palette.open(page);
    await expect.poll(() => act.palette.text(page)).toEqual('');
    await compose(page, ...SETTINGS);
    await act.palette.marked(page, 'screen-settings');
    await page.keyboard.press('Escape');
    await act.palette.closed(page);
    await at(page, '#/tasks');
  });
  await check(`words of a published task find it: ${task.id}`, async () => {
    await search(page, task.words);
    await act.palette.marked(page, `task-${task.id}`);
    await page.keyboard.press('Enter');
    await at(page, `#/tasks/${task.id}`);
    await expect(page.locator('#main')).toContainText(task.id);
    await expect(page.locator('#main')).toContainText(task.instruction);
  });
  await check('keys of a Korean layout are told by their place', async () => {
    await page.locator('#main').focus();
    await press(page, 'ㅎ', 'KeyG');
    await press(page, 'ㄷ', 'KeyE');
    await at(page, '#/reports');
  });
}

async function search(page, text) {
  await page.keyboard.press('Control+k');
  await act.palette.open(page);
  await page.keyboard.type(text);
  await settled(page);
}

const at = (page, hash) => page.waitForFunction((hash) => decodeURIComponent(location.hash) === hash, hash);

/** A task of the published files, and three of its words that no other task has together. */
async function oneTask(shared) {
  const read = async (level) => JSON.parse(await readFile(join(shared, `ko-agentbench/tasks/${level}.json`), 'utf8'));
  const [, , task] = await read('L1');
  return {
    id: task.task_id,
    instruction: task.instruction,
    words: task.instruction.split(/\s+/).slice(0, 3).join(' '),
  };
}
