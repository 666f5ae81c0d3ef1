// Two models over two benchmarks at once: every part stands beside the combined difference, which is the command line's, by
// either weight.
import * as act from '../acts.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { settled } from '../settled.mjs';
import { command, otherBenchmarks } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const LIMIT = { timeout: 60_000 };

story('across', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const { reports } = await otherBenchmarks(koab, home);
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const card = page.locator('#across');
    const shown = async () => (await card.innerText()).replace(/\s+/g, ' ');
    const of = (weights) => command(koab, home, 'report', 'compare', ...reports, '--across', '--weights', weights);
    /** The card says what the command line says by these weights. */
    async function same(weights) {
      const { pairs } = await of(weights);
      equal(pairs.length, 1);
      const [{ across, verdict, second }] = pairs;
      await settled(page);
      await expect(page.locator(`[data-across="${second}"]`)).toHaveAttribute('data-verdict', verdict);
      await expect(card).toContainText(across.sentence, { useInnerText: true });
      return across;
    }

    await check('the reports of two benchmarks lead to both together, each part beside the combined one', async () => {
      await act.go(page, `#/compare?reports=${encodeURIComponent(reports.join(','))}`);
      await card.locator('[data-across]').waitFor(LIMIT);
      const found = await same('item');
      const parts = await card.locator('[data-part]').evaluateAll((rows) => rows.map(({ dataset }) => dataset.part));
      const count = (part) => parts.filter((one) => one === part).length;
      equal([count('pack'), count('group'), count('combined')], [found.benchmarks.length, found.strata.length, 1]);
    });
    await check('another weight is chosen, is the command line’s, and outlives a reload', async () => {
      const before = await shown();
      await card.locator('select').first().selectOption('benchmark');
      await card.getByText('each benchmark counts the same').waitFor(LIMIT);
      const { combined } = await same('benchmark');
      await expect.poll(shown, 'what the card says').not.toBe(before);
      await page.reload();
      await card.getByText('each benchmark counts the same').waitFor(LIMIT);
      equal((await same('benchmark')).combined, combined);
    });
    await check(
      'how small a difference could be found is opened with the keyboard, and its assumptions are named',
      async () => {
        await card.locator('details summary').focus();
        await page.keyboard.press('Enter');
        const rows = card.locator('details tbody tr');
        const { seen, assumed } = await of('benchmark');
        await expect(rows).toHaveCount(1 + assumed.length);
        holds(seen.benchmark > 0, 'no power was told');
        await expect(rows.filter({ hasText: /^\s*Assumption/ })).toHaveCount(assumed.length);
      },
    );
    await check('the page complains about nothing', async () => equal(complaints, []));
    await context.close();
    await server.stop();
  });
});
