// A review of questions drawn at random: answered with the keyboard, revealed, and what people would have said is the command
// line's estimate. One of the questions that judges dispute has no such estimate.
import * as act from '../acts.mjs';
import { WRONG } from '../itemServer.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { settled } from '../settled.mjs';
import { command, otherBenchmarks } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const LIMIT = { timeout: 60_000 };
const QUESTIONS = 30;

story('reviews', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const { report } = await otherBenchmarks(koab, home);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    let id;

    await check('random questions of one metric are drawn, by number and seed', async () => {
      await act.go(page, `#/judging?reports=${encodeURIComponent(report)}`);
      await page.locator('#queue-metric').selectOption('SR');
      await page.locator('#queue-most').fill(String(QUESTIONS));
      await page.locator('#queue-seed').fill('2');
      await page.locator('#queue-by').fill('Mina');
      await page.locator('#queue-make').click();
      await page.locator('[data-random]').waitFor(LIMIT);
      const {
        queues: [queue],
      } = await ask(page, 'queues_list');
      id = queue.id;
      equal([queue.questions, queue.draw.metric, queue.seed, queue.by], [QUESTIONS, 'SR', 2, 'Mina']);
    });
    await check(
      'they are answered with the keyboard, in their order, and no judge is named before the end',
      async () => {
        for (let at = 1; at <= QUESTIONS; at += 1) {
          const question = page.locator(`[data-question="${at}"]`);
          await question.waitFor(LIMIT);
          const text = await page.locator('#main').innerText();
          holds(!text.includes('openai_compat/judge'), `the judge is named at question ${at}`);
          await page.locator('#main h2').first().click();
          // The reviewer sees what the judge sees, and now and then is stricter.
          await page.keyboard.press(text.includes(WRONG) || at % 5 === 0 ? 'n' : 'y');
        }
        await page.locator('[role="status"].good').waitFor(LIMIT);
        const {
          queues: [queue],
        } = await ask(page, 'queues_list');
        equal([queue.answered, queue.revealed_at], [QUESTIONS, null]);
      },
    );
    await check('revealed, the corrected score stands beside the judged one, and is the command line’s', async () => {
      await page.locator('#reveal').click();
      await page.locator('[data-answer="confirm"]').click();
      await page.locator('#corrected [data-corrected]').first().waitFor(LIMIT);
      await settled(page);
      const found = await command(koab, home, 'judge', 'estimate', id);
      const [run] = found.runs;
      equal([found.metric, found.counted, run.judges.length], ['SR', QUESTIONS, 1]);
      const [row] = run.judges;
      const cells = await page.locator('#corrected [data-corrected] td').allInnerTexts();
      const four = (value) => value.toFixed(4);
      const interval = ({ value, low, high }) => `${four(value)} [${four(low)}, ${four(high)}]`;
      equal(
        cells.slice(0, 3).map((cell) => cell.replace(/\s+/g, ' ').trim()),
        [four(row.judged), interval(row.corrected), interval(run.human)],
      );
      holds(row.corrected.value < row.judged, 'the stricter reviewer changed nothing');
    });
    await check('a reload shows the same, and the list says that it is revealed', async () => {
      const before = await page.locator('#corrected').innerText();
      await page.reload();
      await page.locator('#corrected [data-corrected]').first().waitFor(LIMIT);
      await expect(page.locator('#corrected')).toHaveText(before, { useInnerText: true });
      await act.go(page, '#/judging');
      await page.locator(`[data-queue="${id}"]`, { hasText: 'revealed' }).waitFor(LIMIT);
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
