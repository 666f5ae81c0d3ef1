// A run is changed while it is being made, in six ways, and one failed attempt is made again; the record keeps all of it.
import { execFileSync } from 'node:child_process';
import * as act from '../acts.mjs';
import { equal, holds } from '../equal.mjs';
import { gate } from '../gate.mjs';
import { modelServer } from '../modelServer.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { check, expect, story } from '../story.ts';

const judgeAnswer = { content: JSON.stringify({ reason: 'scripted', success: true, score: 5, confidence: 1 }) };

story('changes', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const held = gate();
    let refusals = 0;
    const first = await modelServer(['m', 'judge'], async (body, waits) => {
      if (body.model === 'judge') return judgeAnswer;
      await held.pass(waits);
      refusals += 1;
      return refusals > 1 ? { content: '확인했습니다.' } : { status: 400 };
    });
    let asked = 0;
    const second = await modelServer(['m', 'judge'], (body) => {
      if (body.model === 'judge') return judgeAnswer;
      asked += 1;
      return { content: '확인했습니다.' };
    });
    held.hold();

    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const line = (what: string) => page.locator(`[data-change="${what}"]`).first();
    /** Opens the form, fills it in, and waits until the run says that it was changed. */
    const change = async (what: string, fill: () => Promise<unknown>) => {
      const before = await page.locator(`[data-change="${what}"]`).count();
      await page.locator('#change').click();
      await page.locator('#change-run').waitFor();
      await fill();
      await page.locator('#change-apply').click();
      await expect(page.locator(`[data-change="${what}"]`)).toHaveCount(before + 1);
      await expect(page.locator('#change-run')).toHaveCount(0);
    };

    await act.chooseServer(page, first.baseUrl, 'm');
    await act.startRun(page);
    await act.running(page);
    const planned = await act.tasks(page);

    await check('nothing is sent as long as nothing is filled in', async () => {
      await page.locator('#change').click();
      await expect(page.locator('#change-apply')).toBeDisabled();
      await page.keyboard.press('Escape');
      await expect(page.locator('#change-run')).toHaveCount(0);
    });
    await check('one failed attempt is asked again', async () => {
      held.allow(1);
      await expect.poll(() => act.inState(page, 'failed')).toBe(1);
      const [task] = await act.tasksIn(page, 'failed');
      await expect(page.locator('[data-failed-part]')).toBeVisible();
      await page.locator(`[data-retry="${task}"]`).click();
      await expect(line('retry')).toContainText(`Retried: ${task}`);
      await expect.poll(() => act.inState(page, 'failed')).toBe(0);
    });
    await check('how many run at once', async () => {
      await change('concurrency', () => page.fill('#change-concurrency', '12'));
      await expect(page.getByText('12 concurrent')).toBeVisible();
      await expect.poll(() => held.held()).toBe(12);
    });
    await check('limits', async () => {
      await change('timeout', () => page.fill('#change-timeout', '900'));
      await change('max_steps', () => page.fill('#change-max_steps', '6'));
      await expect(line('max_steps')).toContainText('→ 6');
    });
    await check('a budget, and none again', async () => {
      await change('max_total_tokens', () => page.fill('#change-max_total_tokens', '1000000'));
      await expect(line('max_total_tokens')).toContainText('none → 1,000,000');
      await change('max_total_tokens', () => page.check('#uncap-max_total_tokens'));
      await expect(line('max_total_tokens')).toContainText('1,000,000 → none');
    });
    await check('judges', async () => {
      await change('judges', async () => {
        await page.fill('#change-judges', 'openai_compat/judge');
        await page.keyboard.press('Enter');
        await page.fill('#change-judge-base-url', first.baseUrl);
      });
      await expect(line('judges')).toContainText('openai_compat/judge');
    });
    await check('a change that cannot be made is said in the form, and changes nothing', async () => {
      const before = await page.locator('[data-change]').count();
      await page.locator('#change').click();
      await page.fill('#change-max_cost', '5');
      await page.locator('#change-apply').click();
      await expect(page.locator('#change-run [role="alert"]')).toContainText('price');
      await page.keyboard.press('Escape');
      await expect(page.locator('[data-change]')).toHaveCount(before);
    });
    let left = '';
    await check('a task that has not begun is left out', async () => {
      left = (await act.tasksIn(page, 'waiting')).at(-1) ?? '';
      await change('leave_out', () => page.check(`[data-leave-out="${left}"]`));
      await expect(page.locator(`[data-task="${left}"]`)).toHaveAttribute('data-state', 'left_out');
      await expect(page.locator('[data-phase]')).toContainText(`of ${planned - 1}`);
    });
    await check('another address, where the rest is asked', async () => {
      await change('base_url', () => page.fill('#change-base_url', second.baseUrl));
      held.open();
      await page.locator('[data-phase="over"]').waitFor({ timeout: 120_000 });
      holds(asked > 0, 'the second server was asked');
      equal([await act.inState(page, 'done'), await act.inState(page, 'left_out')], [planned - 1, 1]);
    });
    await check('the record keeps every change, also after a reload and in the terminal', async () => {
      await page.reload();
      await expect(page.locator('[data-changes]')).toHaveAttribute('data-changes', '9');
      await expect(page.locator(`[data-task="${left}"]`)).toHaveAttribute('data-state', 'left_out');
      const shown = execFileSync(koab, ['runs', 'show', 'last'], {
        encoding: 'utf8',
        env: { ...process.env, KOAB_HOME: home },
      });
      holds(shown.includes(left) && shown.includes(second.baseUrl), shown);
    });
    await check('comparability names what was changed', async () => {
      await expect(page.locator('#results')).toContainText('changed while the run was being made');
    });
    await check('the content policy has nothing to complain about', async () =>
      equal(
        complaints.filter((one) => !/400 .*run_change$/.test(one)),
        [],
      ),
    );
    await context.close();
    await server.stop();
    for (const one of [first, second]) one.stop();
  });
});
