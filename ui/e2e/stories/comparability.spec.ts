// May these numbers be compared? The badge in the library, the verdict beside the headline number, two reports with each
// other, the run's own page, and what goes with an export.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { LANGUAGES, THEMES } from '../screens.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { settled } from '../settled.mjs';
import { command, importPack } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const PUBLISHED = 'azure_gpt-4o_20251219';
const WORDS = {
  en: { limited: 'partly', not_comparable: 'not comparable', remedy: 'Run again with the leaderboard protocol.' },
  ko: { limited: '부분 가능', not_comparable: '비교 불가', remedy: '리더보드 프로토콜로 다시 실행하세요.' },
};

/** Pairs of published reports with long conclusions: one is better, and nobody knows. */
const PAIRS = [
  ['bedrock_global.anthropic.claude-haiku-4-5-20251001-v1_20251219', 'vertex_ai_gemini-2.5-flash_20251219', 'first'],
  ['azure_gpt-4o-mini_20251219', 'azure_gpt-4o_20251219', 'not_separated'],
];
/** What their cards say: who is better or that nobody knows, by how much, and how many tasks it takes to know. */
const SAYS = {
  en: {
    first: ['is better (p 0.', 'points'],
    not_separated: ['No significant difference', 'points', 'more tasks to detect 5 points'],
  },
  ko: {
    first: ['우세 (p값', '점'],
    not_separated: ['유의한 차이 없음', '점', '5점 차이를 가리려면'],
  },
};
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1024, height: 640 },
];

sharedStory('comparability', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    await importPack(koab, home, shared);
    await command(koab, home, 'report', 'import', join(shared, 'parity/reports'));
    await command(koab, home, 'report', 'import', join(shared, 'parity/logs/benchmark_results/by_model/azure_gpt-4o'));
    await command(koab, home, 'run', '--model', 'baseline/golden', '--evaluate');
    await command(
      koab,
      home,
      'run',
      '--model',
      'baseline/silent',
      '--protocol',
      'corrected',
      '--levels',
      'L1',
      '--evaluate',
    );
    const server = await serve(koab, home);
    for (const language of ['en', 'ko']) {
      const { page, context, complaints, session } = await openPage(browser, server, {
        language,
        session: server.session,
        size: { width: 1440, height: 900 },
      });
      server.session = session;
      const words = WORDS[language];
      const rows = await ask(page, 'reports_library');
      const of = (model) => rows.find((row) => row.model === model).id;
      const [golden, silent] = [of('baseline/golden'), of('baseline/silent')];

      await check(
        `the library has a badge for each report and finds those that cannot be compared (${language})`,
        async () => {
          await act.go(page, '#/reports');
          await page.locator(`[data-row="${PUBLISHED}"] [data-grade="published"]`).waitFor();
          await act.go(page, '#/reports?grade=not_comparable');
          await expect.poll(() => act.library.rows(page)).toEqual([golden, silent].sort());
        },
      );
      await check(
        `a report says it beside its headline number, with the reason and what to do (${language})`,
        async () => {
          await act.go(page, `#/reports/${encodeURIComponent(silent)}`);
          const beside = page.locator('[data-head] [data-grade="not_comparable"]');
          await beside.waitFor();
          await expect(beside).toHaveText(new RegExp(`${words.not_comparable}$`));
          const protocol = page.locator('#comparability [data-aspect="protocol"]');
          await protocol.waitFor();
          await settled(page);
          await expect(protocol).toContainText(words.remedy);
          if (language === 'ko') await expect(protocol).toContainText(/[가-힣]/);
          else await expect(protocol).not.toContainText(/[가-힣]/);
        },
      );
      await check(
        `a report on the published pack has its hit rate, level by level, and its misses (${language})`,
        async () => {
          await act.go(page, `#/reports/${encodeURIComponent(golden)}`);
          const whole = page.locator('#comparability [data-calls] [data-level="all"]');
          await whole.waitFor();
          const { facts } = await ask(page, 'report_comparability', { id: golden });
          const misses = facts.calls.value.misses.length;
          holds(misses > 0, 'the golden path meets gaps');
          await expect(whole.locator('td').nth(2)).toHaveText(String(misses));
          await page.locator('#comparability details summary').click();
          await expect(page.locator('#comparability details li')).toHaveCount(misses);
        },
      );
      await check(`a published report is called so, with what its logs would meet here (${language})`, async () => {
        await act.go(page, `#/reports/${PUBLISHED}`);
        await page.locator('[data-head] [data-grade="published"]').waitFor();
        const whole = page.locator('#comparability [data-calls] [data-level="all"]');
        await whole.waitFor();
        for (const [at, text] of ['100.0 %', '107', '0', '50', '0'].entries())
          await expect(whole.locator('td').nth(at)).toHaveText(text);
      });
      await check(`two reports say what parts them before their numbers (${language})`, async () => {
        await act.go(page, `#/compare?reports=${golden},${silent}`);
        const conclusion = page.locator(`[data-conclusion="${silent}"]`);
        await conclusion.locator('[data-grade="not_comparable"]').waitFor();
        await expect(conclusion).toHaveAttribute('data-verdict', 'untested');
        const standing = page.locator(`[data-standing="${silent}"]`);
        await standing.locator('[data-grade="not_comparable"]').waitFor();
        await standing.locator('[data-aspect="protocol"]').waitFor();
        await page.locator('table th [data-grade="not_comparable"]').first().waitFor();
      });
      await check(`the run’s page says it as well (${language})`, async () => {
        const run = rows.find(({ id }) => id === golden).run;
        await act.go(page, `#/runs/${encodeURIComponent(run)}`);
        await page.locator('#comparability [data-aspect="recordings"]').first().waitFor();
      });
      await check(`a CSV is saved with a file that says how it can be compared (${language})`, async () => {
        await act.go(page, `#/reports/${encodeURIComponent(silent)}`);
        await page.locator('[data-report-menu]').waitFor();
        const { name, beside } = await act.saved(page, '[data-export="csv"]', 3);
        equal(
          [name, ...beside.map((file) => file.name)],
          [`${silent}.csv`, `${silent}.comparability.csv`, `${silent}.statistics.csv`],
        );
        const text = await readFile(beside[0].path, 'utf8');
        equal(text.split('\r\n')[1], `verdict,leaderboard,${words.not_comparable},not_comparable,`);
      });
      await check(`the page complains about nothing (${language})`, async () => equal(complaints, []));
      await context.close();
    }
    await firstScreenful({ koab, home, browser, server });
    await server.stop();
  });
});

/** What a reader of Compare sees before any scrolling, in both windows, languages and themes. */
async function firstScreenful({ koab, home, browser, server }) {
  const terminal = new Map();
  for (const pair of PAIRS) {
    const [{ conclusion }] = (await command(koab, home, 'report', 'compare', ...pair.slice(0, 2))).conclusions;
    terminal.set(pair, conclusion);
  }
  for (const size of SIZES) {
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const { page, context } = await openPage(browser, server, { language, theme, size, session: server.session });
        for (const pair of PAIRS) {
          const [one, other, verdict] = pair;
          const what = `${size.width} × ${size.height}, ${language}, ${theme}, ${verdict}`;
          await check(`Compare opens with the terminal’s conclusion on the first screenful (${what})`, async () => {
            await act.go(page, `#/compare?reports=${one},${other}`);
            const conclusion = page.locator(`[data-conclusion="${other}"]`);
            await conclusion.waitFor();
            await settled(page);
            const said = (await conclusion.locator('[data-sentence]').textContent()).trim().replace(/\s+/g, ' ');
            await expect(conclusion).toHaveAttribute('data-verdict', verdict);
            equal(terminal.get(pair).verdict, verdict);
            // What programs read is English.
            const { sentence } = terminal.get(pair);
            if (language === 'en') equal(said, sentence);
            await expect.poll(() => conclusion.evaluate(unseen, SAYS[language][verdict]), said).toEqual([]);
          });
        }
        await context.close();
      }
    }
  }
}

/** The words among these that the element does not have, or that stand outside the window or under something else. */
function unseen(element, words) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const word of words) {
      const at = text.textContent.indexOf(word);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + word.length);
      const isSeen = [...range.getClientRects()].every(({ left, right, top, bottom }) => {
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight && element.contains(there);
      });
      if (isSeen) seen.add(word);
    }
  }
  return words.filter((word) => !seen.has(word));
}
