// May these numbers be compared? The badge in the library, the verdict beside the headline number, two reports with each
// other, the run's own page, and what goes with an export.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { check, equal, holds } from '../report.mjs';
import { settled } from '../screens.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';

const PUBLISHED = 'azure_gpt-4o_20251219';
const WORDS = {
  en: { limited: 'partly', not_comparable: 'not comparable', remedy: 'Run again with the leaderboard protocol.' },
  ko: { limited: '부분 가능', not_comparable: '비교 불가', remedy: '리더보드 프로토콜로 다시 실행하세요.' },
};

export async function comparability({ koab, browser, shared }) {
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
          await page.locator(`[data-row="${PUBLISHED}"] [data-grade="limited"]`).waitFor();
          await act.go(page, '#/reports?grade=not_comparable');
          await page.waitForFunction(() => document.querySelectorAll('[data-row]').length === 2);
          equal((await act.library.rows(page)).sort(), [golden, silent].sort());
        },
      );
      await check(
        `a report says it beside its headline number, with the reason and what to do (${language})`,
        async () => {
          await act.go(page, `#/reports/${encodeURIComponent(silent)}`);
          const beside = page.locator('[data-variant] [data-grade="not_comparable"]');
          await beside.waitFor();
          holds((await beside.innerText()).endsWith(words.not_comparable), await beside.innerText());
          const protocol = page.locator('#comparability [data-aspect="protocol"]');
          await protocol.waitFor();
          await settled(page);
          const said = await protocol.innerText();
          holds(said.includes(words.remedy), said);
          holds(/[가-힣]/.test(said) === (language === 'ko'), said);
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
          const cells = await whole.locator('td').allInnerTexts();
          equal(cells[2], String(misses));
          await page.locator('#comparability details summary').click();
          equal(await page.locator('#comparability details li').count(), misses);
        },
      );
      await check(`a published report is limited, with what its logs would meet here (${language})`, async () => {
        await act.go(page, `#/reports/${PUBLISHED}`);
        await page.locator('[data-variant] [data-grade="limited"]').waitFor();
        const whole = page.locator('#comparability [data-calls] [data-level="all"]');
        await whole.waitFor();
        equal((await whole.locator('td').allInnerTexts()).slice(0, 5), ['100.0 %', '107', '0', '50', '0']);
      });
      await check(`two reports say what parts them before their numbers (${language})`, async () => {
        await act.go(page, `#/compare?reports=${golden},${silent}`);
        const conclusion = page.locator(`[data-conclusion="${silent}"]`);
        await conclusion.locator('[data-grade="not_comparable"]').waitFor();
        equal(await conclusion.getAttribute('data-verdict'), 'untested');
        const standing = page.locator(`[data-standing="${silent}"]`);
        await standing.locator('[data-grade="not_comparable"]').waitFor();
        await standing.locator('[data-aspect="protocol"]').waitFor();
        await page.locator('table th [data-grade="not_comparable"]').first().waitFor();
      });
      await check(
        `Compare opens with the conclusion that the terminal has, on the first screenful (${language})`,
        async () => {
          const [one, other] = [PUBLISHED, 'azure_gpt-5_20251219'];
          const [{ conclusion: terminal }] = (await command(koab, home, 'report', 'compare', one, other)).conclusions;
          await page.setViewportSize({ width: 1024, height: 640 });
          await act.go(page, `#/compare?reports=${one},${other}`);
          const conclusion = page.locator(`[data-conclusion="${other}"]`);
          await conclusion.waitFor();
          await settled(page);
          const said = (await conclusion.locator('p').innerText()).replace(/\s+/g, ' ');
          // What programs read is English.
          holds(
            language === 'ko' ? said.includes('신뢰구간') : said.startsWith(terminal.sentence),
            `${said}\n${terminal.sentence}`,
          );
          equal(await conclusion.getAttribute('data-verdict'), terminal.verdict);
          const { y, height } = await conclusion.boundingBox();
          holds(y > 0 && y + height < 640, `it ends at ${y + height}`);
          await page.setViewportSize({ width: 1440, height: 900 });
        },
      );
      await check(`the run’s page says it as well (${language})`, async () => {
        const run = rows.find(({ id }) => id === golden).run;
        await act.go(page, `#/runs/${encodeURIComponent(run)}`);
        await page.locator('#comparability [data-aspect="recordings"]').first().waitFor();
      });
      await check(`a CSV is saved with a file that says how it can be compared (${language})`, async () => {
        await act.go(page, `#/reports/${encodeURIComponent(silent)}`);
        await page.locator('[data-export="csv"]').waitFor();
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
    await server.stop();
  });
}
