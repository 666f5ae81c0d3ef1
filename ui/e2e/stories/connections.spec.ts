// Connections with each kind of fault: told apart by a check, kept over a reload, and looked at offline without asking anybody.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as act from '../acts.mjs';
import { scripted } from '../scripted.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

/** A server that answers everything alike; `stop` leaves its address free. */
async function answering(status: number, type: string, body: string) {
  let asked = 0;
  const server: Server = createServer((_, answer) => {
    asked += 1;
    answer.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    stop: () => (server.closeAllConnections(), server.close()),
  };
}

story('connections', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const model = await scripted();
    const refusing = await answering(401, 'application/json', '{"error":{"message":"wrong key"}}');
    const page404 = await answering(200, 'text/html', '<title>Router</title>');
    const gone = await answering(200, 'text/plain', '');
    gone.stop();
    const connect = (name: string, baseUrl: string, of: string) =>
      command(koab, home, 'models', 'connect', name, '--base-url', baseUrl, '--model', of);
    await connect('works', model.baseUrl, 'quick');
    await connect('stopped', gone.baseUrl, 'quick');
    await connect('guarded', refusing.baseUrl, 'quick');
    await connect('router', page404.baseUrl, 'quick');
    await connect('renamed', model.baseUrl, 'gpt-99');
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server, { at: '#/models' });
    const health = (name: string) => page.locator(`[data-connection-row="${name}"] [data-health]`);
    const expected = { works: 'well', stopped: 'address', guarded: 'key', router: 'protocol', renamed: 'model' };
    await check('nobody is asked before the user asks for it', async () => {
      for (const name of Object.keys(expected)) await expect(health(name)).toHaveAttribute('data-health', 'unchecked');
      equal([refusing.asked(), page404.asked()], [0, 0]);
    });
    await check('one press tells four faults apart, each with its remedy', async () => {
      await act.tabTo(page, '#check-all');
      await page.keyboard.press('Enter');
      for (const [name, state] of Object.entries(expected))
        await expect(health(name)).toHaveAttribute('data-health', state);
      await expect(page.locator('[data-remedy]')).toHaveCount(4);
      await expect(page.locator('[data-connection-row="renamed"] [data-remedy]')).toContainText('gpt-99');
    });
    await check('the results are still there after a reload', async () => {
      await page.reload();
      await expect(health('guarded')).toHaveAttribute('data-health', 'key');
      await expect(page.locator('[data-connection-row="works"]')).toContainText(' ms ');
    });
    await check('offline, the servers of this computer can be checked', async () => {
      await ask(page, 'offline_set', { on: true });
      await page.reload();
      await page.locator('[data-offline]').waitFor();
      const before = refusing.asked();
      await page.locator('[data-connection-row="guarded"] [data-connection-check]').click();
      await expect(health('guarded')).toHaveAttribute('data-health', 'key');
      await expect.poll(() => refusing.asked()).toBeGreaterThan(before);
    });
    await check('Run opens a run with the connection’s model', async () => {
      await page.locator('[data-connection-row="works"] [data-connection-run]').click();
      await expect(page.locator('#model')).toHaveValue('works/quick');
    });
    await check('the page complains about nothing', () => equal(complaints, []));
    await context.close();
    await server.stop();
    for (const one of [model, refusing, page404]) one.stop();
  });
});
