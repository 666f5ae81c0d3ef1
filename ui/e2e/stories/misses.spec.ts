// What a run missed is filled from an imitation of the services, and the affected tasks are made again.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const TOOLS = ['AddressToCoord_kakao', 'CryptoPrice_bithumb', 'POISearch_tmap'];
const checkout = new URL('../../../', import.meta.url).pathname;

story('misses', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const services = await imitated();
    await pack(koab, home);
    const environment = {
      KOAB_KAKAO_LOCAL_URL: services.address,
      KOAB_BITHUMB_URL: services.address,
      KOAB_TMAP_URL: services.address,
      KAKAO_REST_API_KEY: 'canary-kakao',
      TMAP_APP_KEY: '',
    };
    const server = await serve(koab, home, 0, environment);
    const { page, context, complaints } = await openPage(browser, server);
    await check('the form says before a run in write mode what may be asked and what is missing', async () => {
      await act.cache.choose(page, 'write');
      await expect
        .poll(() => act.cache.services(page))
        .toEqual(['Bithumb ready', 'Kakao Local ready', 'TMAP missing: TMAP_APP_KEY']);
      await page.locator('input[name="cache"][value="read"]').check();
    });
    await check('a run with cached responses only shows what it missed', async () => {
      await act.startRun(page);
      await act.scores(page);
      await act.misses.open(page);
      await expect
        .poll(() => act.misses.rows(page))
        .toEqual([
          ['L1-001', 'open'],
          ['L1-002', 'open'],
          ['L1-003', 'open'],
        ]);
      await expect(page.locator('[data-task-misses="L1-001"] [data-difference]').first()).toHaveText(
        'address "부산" "부산광역시" different value',
        { useInnerText: true },
      );
    });
    await check('a reload shows the same part', async () => {
      await page.reload();
      await page.locator('#misses-title').waitFor();
      await expect.poll(() => act.misses.rows(page)).toHaveLength(3);
    });
    await check('a missed call leads to its place in the transcript, and back', async () => {
      equal(await act.misses.toCall(page), 'call-0');
      await page.goBack();
      await page.locator('#misses-title').waitFor();
    });
    await check('the plan names services, calls and missing keys, and asks nobody', async () => {
      equal(await act.misses.plan(page), [
        'Bithumb 1 none needed',
        'Kakao Local 1 present',
        'TMAP 1 missing: TMAP_APP_KEY',
      ]);
      equal(services.asked, []);
    });
    await check('a fill asks each service that has its keys once, and says what came of it', async () => {
      const said = await act.misses.fill(page);
      holds(said.includes('1 of 3 calls answered and saved.'), said);
      holds(said.includes('1 failed.') && said.includes('1 not made: keys missing.'), said);
      equal(services.asked.toSorted(), ['/v1/ticker', '/v2/local/search/address.json']);
      await expect
        .poll(() => act.misses.rows(page))
        .toEqual([
          ['L1-001', 'kept'],
          ['L1-002', 'open'],
          ['L1-003', 'open'],
        ]);
    });
    await check('the affected task is made again in a run that says whose completion it is', async () => {
      await act.misses.again(page);
      await expect.poll(() => act.tasks(page)).toBe(1);
      equal(services.asked.length, 2);
      await act.misses.open(page);
      await expect(page.locator('section[data-misses]'), 'something was missed again').toContainText(
        'No cache misses.',
      );
      await page.goBack();
      await page.locator('[data-completes] a').click();
      await page.locator('[data-completed-by]').waitFor();
    });
    await check('the page complains about nothing', async () => equal(complaints, []));
    await server.stop();
    await context.close();
    services.close();
  });
});

/** Kakao answers, Bithumb knows no market. */
async function imitated() {
  const asked = [];
  const server = createServer((request, response) => {
    const path = request.url.split('?')[0];
    asked.push(path);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        path === '/v1/ticker'
          ? { error: { name: 404, message: 'Code not found' } }
          : { documents: [{ address_name: '부산', x: '129.1', y: '35.1' }] },
      ),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** A pack of three tasks, of which one is recorded in other words. */
async function pack(koab, home) {
  const folder = join(home, 'pack');
  const tool = async (name) => JSON.parse(await readFile(join(checkout, 'tasks/tools', `${name}.json`), 'utf8'));
  const task = (id, tool, args) => ({
    task_id: id,
    instruction: `찾아 줘 (${id})`,
    task_level: 1,
    task_category: 'Single',
    golden_action: [{ tool, args }],
    resp_schema: { type: 'string' },
  });
  const tasks = [
    task('L1-001', 'AddressToCoord_kakao', { address: '부산' }),
    task('L1-002', 'CryptoPrice_bithumb', { markets: 'KRW-LTC' }),
    task('L1-003', 'POISearch_tmap', { searchKeyword: '시청' }),
  ];
  const key = '0'.repeat(64);
  const records = join(folder, 'cache/AddressToCoord_kakao/00');
  await mkdir(join(folder, 'tasks'), { recursive: true });
  await mkdir(records, { recursive: true });
  await writeFile(join(folder, 'tasks/L1.json'), JSON.stringify(tasks));
  await writeFile(join(folder, 'tool_catalog.json'), JSON.stringify(await Promise.all(TOOLS.map(tool))));
  const args = { address: '부산광역시' };
  const record = {
    key,
    tool: 'AddressToCoord_kakao',
    created_at: '2025-10-20T11:23:21.000001',
    input_params: args,
    raw_args: args,
    data: {},
  };
  await writeFile(join(records, `${key}.json`), JSON.stringify(record));
  await command(koab, home, 'pack', 'import', folder, '--use');
}
