// A person's word in a judge's place: both scores stand beside each other wherever they are shown, until it is taken back.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { compose } from '../hangul.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const TASK = 'L1-001';
/** Of the published run: the judge let all eleven tasks of L1 pass. */
const JUDGED = '1.0000';
const WITH_PEOPLE = (10 / 11).toFixed(4);

sharedStory('overrides', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    const model = join(shared, 'parity/logs/benchmark_results/by_model/azure_gpt-4o');
    const [stamp] = await readdir(model);
    const run = `azure_gpt-4o/${stamp}`;
    await command(koab, home, 'report', 'import', model);
    const score = () =>
      command(koab, home, 'evaluate', '--run', run, '--judge-replay', join(shared, 'parity/judge_replay.json'));
    await score();
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const [report] = await ask(page, 'reports_library');
    // All but the moment of scoring.
    const files = async () => {
      const { text } = await ask(page, 'report_export', { id: report.id, format: 'json', language: 'en' });
      return text.replace(/"evaluation_date": "[^"]*"/, '');
    };
    const before = await files();

    const inTable = async () => {
      await act.go(page, `#/runs/${encodeURIComponent(run)}`);
      await act.scores(page);
      await settled(page);
      return (await act.mean(page, 'L1', 'SR')).replace(/\s+/g, ' ');
    };
    const inTranscript = async () => {
      await act.go(page, `#/runs/${encodeURIComponent(run)}/${TASK}`);
      return act.override.scores(page, 'SR');
    };

    await check('what the judge said stands alone at first', async () => {
      equal(await inTable(), JUDGED);
      equal(await inTranscript(), ['1', null]);
    });
    await check('with the keyboard alone a person says otherwise, in Korean, with a name and a reason', async () => {
      await act.override.begin(page, 'SR');
      await act.tabTo(page, 'input[name="override-answer"]');
      await page.keyboard.press('ArrowDown');
      await page.locator('input[name="override-answer"][value="false"]:checked').waitFor();
      await act.tabTo(page, '#override-by');
      await compose(page, ['ㅁ', '미', '민'], ['ㅈ', '지']);
      await page.keyboard.press('Tab');
      await compose(page, ['ㅌ', '트', '틀'], ['ㄹ', '리', '림']);
      await act.tabTo(page, '#override-save');
      await page.keyboard.press('Enter');
      await act.override.said(page, '민지');
      await expect.poll(() => act.override.scores(page, 'SR'), { timeout: 120_000 }).toEqual(['1', '0']);
    });
    await check('from the next scoring on, the run’s score table shows both means', async () => {
      await score();
      await page.reload();
      const shown = await inTable();
      equal([shown.startsWith(JUDGED), shown.endsWith(`→ ${WITH_PEOPLE}`)], [true, true], shown);
    });
    await check('a reload shows the same', async () => {
      await page.reload();
      await act.scores(page);
      await settled(page);
      await expect.poll(() => act.mean(page, 'L1', 'SR')).toMatch(new RegExp(`→ ${WITH_PEOPLE}$`));
      await inTranscript();
      await page.reload();
      await expect.poll(() => act.override.scores(page, 'SR'), { timeout: 120_000 }).toEqual(['1', '0']);
    });
    await check('the report has both, and its published files stay as judged', async () => {
      const view = await ask(page, 'report_show', { run });
      const mean = view.levels.find(({ level }) => level === 'L1').metrics.find(({ metric }) => metric === 'SR');
      equal([mean.mean, mean.overridden.value.toFixed(4)], [1, WITH_PEOPLE]);
      holds((await files()) === before, 'the published file has changed');
      await act.go(page, `#/reports/${encodeURIComponent(report.id)}?tab=metrics`);
      await page.locator('[data-level="L1"] [data-metric="SR"] [data-mean]').getByText(JUDGED).first().waitFor();
    });
    await check('the command line tells it, with who and why', async () => {
      const told = await command(koab, home, 'judge', 'overrides');
      const [one] = told.overrides ?? told;
      equal([one.task, one.metric, one.success, one.by, one.why], [TASK, 'SR', false, '민지', '틀림']);
    });
    await check('taken back, the judge’s word stands alone again', async () => {
      await inTranscript();
      await act.override.remove(page, 'SR');
      await expect.poll(() => act.override.scores(page, 'SR'), { timeout: 120_000 }).toEqual(['1', null]);
      await score();
      await page.reload();
      equal(await inTable(), JUDGED);
      holds((await files()) === before, 'the published file has changed');
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
