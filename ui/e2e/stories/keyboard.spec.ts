// Without a mouse, and with a Korean keyboard.
import * as act from '../acts.mjs';
import { commit, compose, composing } from '../hangul.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

story('keyboard', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const server = await serve(koab, home);
    const { page, context } = await openPage(browser, server);
    await page.locator(act.form.open).waitFor();

    await check('the first Tab offers to skip to the content', async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(page.locator('#main')).toBeFocused();
    });
    await check('the form of a new run opens by its button, with the focus in its first field', async () => {
      await act.tabTo(page, act.form.open);
      await page.keyboard.press('Enter');
      await page.locator(`${act.form.run}:not([disabled])`).waitFor();
      await page.waitForFunction(() => document.activeElement?.id === 'pack');
    });
    await check('Korean syllables arrive whole in a text field, and none of their keys is a shortcut', async () => {
      await act.chooseModel(page, 'openai_compat/');
      await page.locator(act.form.name).first().fill('');
      await act.tabTo(page, act.form.name);
      const place = page.url();
      await compose(page, ['ㅎ', '하', '한'], ['ㄱ', '그', '글']);
      await expect(page.locator(act.form.name).first()).toHaveValue('한글');
      equal(page.url(), place, 'the place');
      await expect(page.locator('[role="dialog"]'), 'dialogs: the form itself').toHaveCount(1);
    });
    await check('Enter that ends a syllable sends no form', async () => {
      await composing(page, '모');
      await page.keyboard.press('Enter');
      await expect(page.locator('[data-task]')).toHaveCount(0);
      await commit(page, '모');
      await expect(page.locator(act.form.name).first()).toHaveValue('한글모');
    });
    await check('a run is chosen, started and read with the keyboard alone', async () => {
      await act.chooseModel(page, 'baseline/golden');
      // What cannot be pressed yet is passed over by Tab.
      await page.locator(`${act.form.run}:not([disabled])`).waitFor();
      await act.tabTo(page, act.form.run);
      await page.keyboard.press('Enter');
      await act.scores(page);
      await act.tabTo(page, '[data-task]');
      const first = await page.evaluate(() => (document.activeElement as HTMLElement)?.dataset.task);
      await page.keyboard.press('ArrowRight');
      const second = await page.evaluate(() => (document.activeElement as HTMLElement)?.dataset.task);
      holds(first && second && first !== second, `the arrow key went from ${first} to ${second}`);
    });
    await check('what has the focus shows it', async () => {
      await act.tabTo(page, 'button, a, select');
      const shown = await page.evaluate(() => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
      holds(shown, 'it has neither outline nor shadow');
    });
    await context.close();
    await server.stop();
  });
});
