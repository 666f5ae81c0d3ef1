// One number, one meaning: what the library, a report's page and Compare draw is what `--json` has of the same report, in the
// rounding and under the name of the terminal.
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as act from '../acts.mjs';
import { settled } from '../settled.mjs';
import { ask, inHome, openPage, replayServer, serve } from '../served.mjs';
import { command, importPack } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, sharedStory } from '../story.ts';

const PUBLISHED = 'azure_gpt-4o-mini_20251219';
const start = promisify(execFile);

/** The rows of a report's score tables on the terminal: `L1 SR` or `all SR`, its mean and its interval. */
function ofTerminal(text) {
  const found = new Map();
  let overall = false;
  for (const line of text.replaceAll('−', '-').split('\n')) {
    const cells = line.split(/\s{2,}/).filter(Boolean);
    if (cells.length === 0) overall = false;
    if (cells[0]?.endsWith('all tasks')) overall = true;
    const [first, second, third, fourth] = cells;
    if (/^L\d$/.test(first ?? '') && /^(—|[\d.-]+)$/.test(third ?? '') && /^(—|\[)/.test(fourth ?? ''))
      found.set(`${first} ${second}`, `${third} ${fourth}`);
    else if (overall && /^(—|[\d.-]+)$/.test(second ?? '') && /^(—|\[)/.test(third ?? ''))
      found.set(`all ${first}`, `${second} ${third}`);
    // The code name of the reading is for files alone.
    const composite = /^composite: (—|[\d.-]+)(?: (\[[^\]]+\]))?/.exec(line);
    if (composite) found.set('composite flat_report', `${composite[1]} ${composite[2] ?? '—'}`);
  }
  return found;
}

/** The same names with the numbers as `--json` has them. */
function ofJson({ levels, overall, composites }) {
  const rows = [
    ...levels.flatMap(({ level, metrics }) => metrics.map(({ metric, mean }) => [`${level} ${shown(metric)}`, mean])),
    ...overall.map(({ metric, value }) => [`all ${shown(metric)}`, value]),
    [`composite ${composites[0].variant}`, composites[0].value],
  ];
  return new Map(rows);
}
const shown = (metric) => (metric === 'pass@k' ? 'pass@k (answered)' : metric);

/** A value and its interval as the page has them, in JavaScript's minus and with one dash where there is none. */
const plain = (text) => text.replaceAll('−', '-').replace('[—]', '—').replace(/\s+/g, ' ').trim();

/** Texts of rows by name, each its first number. */
const drawn = (page, selector) =>
  page.locator(selector).evaluateAll((rows) =>
    rows.map((row) => {
      const of = row.dataset.overall ? 'all' : (row.dataset.of ?? row.closest('[data-level]')?.dataset.level);
      const name = row.querySelector('th')?.innerText.trim() ?? '';
      const cells = [...row.querySelectorAll('td')].map((cell) => {
        const value = cell.querySelector('b')?.innerText ?? '—';
        return `${value} ${cell.querySelector('.range')?.innerText ?? '—'}`;
      });
      return [`${of} ${name}`, cells];
    }),
  );

sharedStory('figures', async ({ koab, browser, shared }) => {
  await inHome(async (home) => {
    const parity = join(shared, 'parity');
    await importPack(koab, home, shared);
    await command(koab, home, 'report', 'import', join(parity, 'reports', PUBLISHED));
    const model = await replayServer(shared);
    const asking = ['run', '--model', 'azure/gpt-4o', '--base-url', model.baseUrl];
    const scored = async ({ run }) => {
      const [report] = await command(
        koab,
        home,
        'evaluate',
        '--run',
        run.folder,
        '--judge-replay',
        join(parity, 'judge_replay.json'),
      );
      return report.id;
    };
    const judged = await scored(await command(koab, home, ...asking));
    // A cap ends it early with an exit code of its own; what was done stays.
    await command(koab, home, ...asking, '--max-total-tokens', '60000').catch(() => null);
    const resumed = await scored(
      await command(koab, home, 'run', '--resume', 'last', '--max-total-tokens', '100000000'),
    );
    await model.stop();
    const ids = [PUBLISHED, judged, resumed];
    const terminal = new Map();
    const json = new Map();
    for (const id of ids) {
      const env = { ...process.env, KOAB_HOME: home, LC_ALL: 'en_US.UTF-8' };
      terminal.set(id, ofTerminal((await start(koab, ['report', 'show', id], { env, maxBuffer: 1 << 26 })).stdout));
      json.set(id, ofJson(await command(koab, home, 'report', 'show', id)));
    }
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server, { size: { width: 1440, height: 900 } });

    await check('the terminal rounds what --json has', async () => {
      for (const id of ids) {
        equal([...terminal.get(id).keys()].sort(), [...json.get(id).keys()].sort(), id);
        for (const [name, text] of terminal.get(id)) {
          const value = json.get(id).get(name);
          if (value === null) equal(text.split(' ')[0], '—', `${id} ${name}`);
          else
            holds(
              Math.abs(Number(text.split(' ')[0]) - value) <= 0.5e-4 + 1e-12,
              `${id} ${name}: ${text} for ${value}`,
            );
        }
      }
    });
    await check('a report’s page has the same texts by the same names', async () => {
      for (const id of ids) {
        await act.go(page, `#/reports/${id}?tab=metrics`);
        await page.locator('#metrics [data-metric]').first().waitFor();
        await settled(page);
        const rows = await drawn(page, '#metrics [data-metric], #metrics [data-overall]');
        const wanted = [...terminal.get(id)].filter(([name]) => !name.startsWith('composite'));
        equal(rows.map(([name, [mean]]) => [name, plain(mean)]).sort(), wanted.sort(), id);
        const variant = [...terminal.get(id).keys()].find((name) => name.startsWith('composite')).split(' ')[1];
        const first = page.locator('[data-variant]').first();
        await expect(first, id).toHaveAttribute('data-variant', variant);
        const [value, range] = [await first.locator('b').innerText(), await first.locator('.range').innerText()];
        equal(plain(`${value} ${range}`), terminal.get(id).get(`composite ${variant}`), id);
      }
    });
    const bySharedReading = new Map(
      await Promise.all(
        ids.map(async (id) => {
          const { composites } = await command(koab, home, 'report', 'show', id);
          return [id, composites.find(({ variant }) => variant === 'flat_report').value] as const;
        }),
      ),
    );
    const close = (text, value, what) =>
      holds(Math.abs(Number(text) - value) <= 0.5e-4 + 1e-12, `${what}: ${text} for ${value}`);
    await check('the library has one reading for all its rows, says which, and the same numbers', async () => {
      await act.library.go(page);
      const header = page.locator('[role="columnheader"], th').filter({ hasText: /^Composite/ });
      await expect(header, 'the reading heads its column').not.toHaveCount(0);
      for (const id of ids) {
        const cell = (column) => page.locator(`[data-row="${id}"] [data-column="${column}"]`).innerText();
        close((await cell('composite')).split(/\s/)[0], bySharedReading.get(id), `${id} composite`);
        // What screen readers hear besides stands behind it.
        const success = terminal.get(id).get('all SR');
        equal(plain(await cell('success')).slice(0, success.length), success, `${id} SR`);
      }
    });
    await check('Compare has the same texts by the same names, and ranks in the reading that it names', async () => {
      await act.go(page, `#/compare?reports=${ids.join(',')}&levels=shown`);
      await page.locator('[data-of="composite"]').first().waitFor();
      await settled(page);
      await page.locator('[data-reading="flat_report"]').waitFor();
      const rows = await drawn(page, '[data-of][data-metric]:not([data-metric="score"]):not([data-of="composite"])');
      holds(rows.length >= 40, `only ${rows.length} rows`);
      for (const [name, cells] of rows) {
        equal(
          cells.map(plain),
          ids.map((id) => terminal.get(id).get(name)),
          name,
        );
      }
      const [[name, cells]] = await drawn(page, '[data-of="composite"]');
      equal(name, 'composite Composite', 'the row of the composite');
      ids.forEach((id, at) => close(plain(cells[at]).split(' ')[0], bySharedReading.get(id), id));
    });
    await check('regressions are counted and shown alone, by level, and the address keeps them', async () => {
      await act.go(page, `#/compare?reports=${ids.join(',')}`);
      const { matrix } = await ask(page, 'compare', { ids });
      const lost = matrix.tasks.filter(({ metrics }) => {
        const [first, ...others] = metrics.find(({ metric }) => metric === 'SR')?.scores ?? [null];
        return others.some((other) => other !== null && first !== null && other < first);
      });
      holds(lost.length > 0, 'nothing is lost');
      const [{ level }] = lost;
      const regressions = page.locator('[data-filter="regressions"]');
      await expect(regressions).toHaveText(new RegExp(` ${lost.length}$`));
      await regressions.focus();
      await page.keyboard.press('Enter');
      await page.locator(`[data-level-filter="${level}"]`).click();
      const wanted = lost.filter((one) => one.level === level).map(({ task }) => `${level} ${task}`);
      const shown = () =>
        page.locator('#main [data-row]').evaluateAll((rows) => rows.map(({ dataset }) => dataset.row));
      await expect.poll(shown).toEqual(wanted);
      await page.reload();
      await expect.poll(shown).toEqual(wanted);
      await expect(regressions).toHaveAttribute('aria-pressed', 'true');
    });
    await check(
      'one report has the run of the same model before it proposed as its baseline, one press away',
      async () => {
        await act.go(page, `#/compare?reports=${resumed}`);
        const proposed = page.locator('[data-baseline]');
        await expect(proposed).toHaveAttribute('data-baseline', judged);
        await proposed.locator('a').click();
        await page.locator(`[data-conclusion="${resumed}"]`).waitFor();
        await expect(page.locator('#baseline')).toHaveValue(judged);
      },
    );
    const told = await command(koab, home, 'report', 'compare', ...ids);
    /** A number of `--json` in the rounding of the page; a p below what is written out stands as `<0.0001`. */
    const same = (text, value, what) => {
      const said = plain(text);
      if (value === null) equal(said, '—', what);
      else if (said.startsWith('<')) holds(value < 0.0001, `${what}: ${said} for ${value}`);
      else close(said, value, what);
    };
    await check('every test of Compare has the numbers, p and Holm p of the command line', async () => {
      let rows = 0;
      for (const [at, { pairs }] of told.tests.entries()) {
        const other = ids[at + 1];
        const { sentence: concluded } = told.conclusions[at].conclusion;
        const open = 'metrics,levels,composites,common';
        await act.go(page, `#/compare?reports=${ids.join(',')}&pair=${other}&open=${open}`);
        const card = page.locator(`[data-conclusion="${other}"]`);
        await card.waitFor();
        await settled(page);
        await expect(card.locator('[data-sentence]')).toHaveText(concluded);
        const [, sign, whole, tenths] = /([+−]?)(\d+)\.(\d) points/.exec(
          await card.locator('[data-points]').innerText(),
        );
        const figure = /= ([+−]?\d\.\d{4}) composite/.exec(concluded)[1].replace('−', '-');
        const drawn = Number(`${sign === '−' ? '-' : ''}${whole}.${tenths}`);
        holds(Math.abs(drawn - Number(figure) * 100) <= 0.06, `${drawn} points for ${figure}`);
        for (const { scorer, tests } of pairs.filter(({ tests }) => tests !== null)) {
          for (const { family, tests: figures } of tests.families) {
            const table = page.locator(`[data-scorer="${scorer}"] [data-family="${family}"] tbody tr`);
            const drawn = await table.evaluateAll((all) =>
              all.map((row) => [...row.querySelectorAll('td')].map((cell) => [cell.innerText, cell.title])),
            );
            equal(drawn.length, figures.length, `${other} ${scorer} ${family}`);
            for (const [place, cells] of drawn.entries()) {
              const figure = figures[place];
              const what = `${other} ${scorer} ${family} ${place}`;
              const [, holm, p, , first, second, difference] = cells;
              same(holm[0], figure.holm, `${what} Holm`);
              same(p[0], figure.p, `${what} p`);
              same(first[0], figure.first, `${what} first`);
              same(second[0], figure.second, `${what} second`);
              same(difference[0].replace('+', ''), figure.difference, `${what} difference`);
              if (figure.holm !== null)
                holds(holm[1].includes(`over ${figure.corrected_over} test`), `${what}: ${holm[1]}`);
              rows += 1;
            }
          }
        }
      }
      holds(rows >= 80, `only ${rows} rows`);
    });
    await check('ranks and all pairs are parts with p values of their own, those of the command line', async () => {
      await act.go(page, `#/compare?reports=${ids.join(',')}&all=ranks`);
      await page.locator('tr[data-rank]').first().waitFor();
      await settled(page);
      await expect(page.locator('[data-family], [data-cell]')).toHaveCount(0);
      const texts = await page.locator('tr[data-rank]').allInnerTexts();
      const ranking = told.ranks.rankings.find(({ by }) => by === 'composite').reports.filter(({ p }) => p !== null);
      const found = texts.flatMap((text) => {
        const match = /p (\S+), Holm p (\S+) over (\d+) test/.exec(text.replace(/\s+/g, ' '));
        return match ? [match.slice(1)] : [];
      });
      equal(found.length, ranking.length);
      const byP = (all) => all.toSorted((one, other) => Number(one[0]) - Number(other[0]));
      const wanted = byP(ranking.map(({ p, holm }) => [p, holm]));
      for (const [at, [p, holm, tests]] of byP(found).entries()) {
        same(p, wanted[at][0], 'p beside the best');
        same(holm, wanted[at][1], 'Holm p beside the best');
        equal(Number(tests), ranking.length);
      }
      const matrix = await command(koab, home, 'report', 'matrix', ...ids);
      await act.go(page, `#/compare?reports=${ids.join(',')}&all=pairs`);
      await page.locator('[data-cell]').first().waitFor();
      await settled(page);
      await expect(page.locator('[data-family], [data-rank]')).toHaveCount(0);
      for (const { row, column, p, holm } of matrix.pairs.filter(({ p }) => p !== null)) {
        const title = await page.locator(`[data-cell="${row} ${column}"]`).getAttribute('title');
        const [, own, corrected, tests] = /p (\S+), Holm p (\S+) over (\d+) test/.exec(title ?? '') ?? [];
        same(own ?? '', p, `${title}`);
        same(corrected ?? '', holm, `${title}`);
        equal(Number(tests), matrix.tested);
      }
    });
    await check('the pages complain about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
