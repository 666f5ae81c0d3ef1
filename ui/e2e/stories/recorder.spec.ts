// An MCP server is recorded from the window: from the form to tasks in the pack editor, with all that can go wrong on the way.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import * as act from '../acts.mjs';
import { callTool as call, serverLine } from '../mcp.mjs';
import { LANGUAGES, THEMES } from '../screens.mjs';
import { ask, inHome, openPage, serve } from '../served.mjs';
import { settled } from '../settled.mjs';
import { command } from '../workspace.mjs';
import { bringAxe, findings } from '../axe.mjs';
import { fits } from '../fits.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const LIMIT = { timeout: 30_000 };
const PAGE = '#/packs?record=1';

/** A client on standard streams, by the command that the page shows; the message of its answer. */
async function overLines(koab, shown, tool, args) {
  const url = /KOAB_MCP_URL=(\S+) koab agents bridge/.exec(shown)[1];
  const child = spawn(koab, ['agents', 'bridge'], { env: { ...process.env, KOAB_MCP_URL: url } });
  let said = '';
  child.stdout.on('data', (piece) => (said += piece));
  child.stdin.end(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } })}\n`,
  );
  await new Promise((resolve) => child.once('exit', resolve));
  return JSON.parse(said);
}

/** Whether a program with these words runs. */
async function runs(words) {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'stat,args']);
  return stdout.split('\n').some((line) => line.includes(words) && !line.trim().startsWith('Z'));
}

const { start, listening, part, counted } = act.recording;

story('recorder', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const server = await serve(koab, home, 0, { WEATHER_KEY: 'sesame-0123456789' });
    const { page, context, complaints, session } = await openPage(browser, server);
    // A name of this test alone, to find the program by.
    const plain = serverLine(server.port);
    await check('the form is reached from the packs, and says that a program is started', async () => {
      await act.go(page, '#/packs');
      await page.locator('#pack-record').click();
      await page.locator('[data-record-warning]').waitFor(LIMIT);
      await expect(page.locator('#record-start')).toBeDisabled();
    });
    await check('a program that is missing is one sentence, and the form keeps what was typed', async () => {
      await start(page, { name: 'kept', line: 'no-such-program --flag' });
      const said = page.locator('[role="alert"]', { hasText: 'there is no program no-such-program; install it' });
      await said.waitFor(LIMIT);
      await expect(page.locator('#record-command')).toHaveValue('no-such-program --flag');
    });
    await check('what is no server is told with the next step', async () => {
      await start(page, { name: 'kept', line: 'true' });
      await page.locator('[role="alert"]', { hasText: 'run its command in a terminal' }).waitFor(LIMIT);
    });
    await check('a variable that is not set is said at the form', async () => {
      await page.locator('#record-env').fill('KOAB_NEVER_SET');
      await start(page, { name: 'kept', line: plain });
      await page.locator('[role="alert"]', { hasText: 'KOAB_NEVER_SET is not set' }).waitFor(LIMIT);
    });
    await check('with the keyboard alone a recording is started', async () => {
      await page.locator('#record-env').fill('WEATHER_KEY');
      await page.locator('#record-command').focus();
      await page.keyboard.press('Enter');
      await listening(page);
      await expect(page.locator('[data-recording]'), 'its name').toContainText('Server of the tests 1');
    });
    const url = await part(page, 'url');
    await check('calls are listed as they come, the newest first, from HTTP and from standard streams', async () => {
      holds(/^http:\/\/127\.0\.0\.1:\d+\/mcp\/[\w-]{22}$/.test(url), url);
      await call(url, 'echo', { text: '서울 날씨' });
      await overLines(koab, await part(page, 'stdio'), 'nothing', {});
      await counted(page, 2);
      const rows = page.locator('[data-recorded]');
      await expect(rows).toHaveCount(2);
      for (const [at, [how, tool]] of [
        ['failed', 'nothing'],
        ['answered', 'echo'],
      ].entries()) {
        await expect(rows.nth(at)).toHaveAttribute('data-recorded', how);
        await expect(rows.nth(at).locator('td').nth(2)).toHaveText(tool);
      }
      await expect(page.locator('[data-recorded="answered"]'), 'its arguments').toContainText('서울 날씨');
    });
    await check('an answer that holds a secret is said at once, and never shown', async () => {
      await call(url, 'echo', { text: 'sesame-0123456789' });
      await page.locator('[data-record-remarks]', { hasText: 'a value that the server was given' }).waitFor(LIMIT);
      await page.locator('[data-recorded="left_out"]').waitFor(LIMIT);
      await expect(page.locator('body'), 'the page shows the secret').not.toContainText('sesame');
    });
    await check('a new session is begun, and a reload shows the same', async () => {
      // A call that comes before the engine has heard of the new session belongs to the old one.
      const begun = page.waitForResponse((answer) => answer.url().includes('recording_session'), LIMIT);
      await page.locator('#record-session').click();
      await begun;
      await call(url, 'add', { a: 2, b: 3 });
      await counted(page, 3);
      await page.reload();
      await counted(page, 3);
      await expect(page.locator('[data-recorded]').first().locator('td').nth(1)).toHaveText('2');
    });
    await check('another recording waits for this one', async () => {
      const request = { name: 'x', server: { kind: 'command', line: 'true' }, env: [], mask: false, work: null };
      const refused = await ask(page, 'recording_start', { request });
      equal(refused.code, 'busy');
    });
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const size = { width: 1024, height: 640 };
        const other = await openPage(browser, server, { session, language, theme, size, at: PAGE });
        await bringAxe(other.page);
        await check(`the recording fits into 1024 × 640, and axe finds nothing (${language}, ${theme})`, async () => {
          await counted(other.page, 3);
          await settled(other.page);
          await fits(other.page);
          equal(await findings(other.page), []);
        });
        await other.context.close();
      }
    }
    await check('it is stopped and saved, and the program is gone', async () => {
      await act.go(page, '#/packs');
      await act.go(page, PAGE);
      await page.locator('#record-stop').click();
      await page.locator('[data-record-kept^="kept@1"]').waitFor(LIMIT);
      equal(await runs(plain.replaceAll("'", '')), false);
    });
    await check('its sessions become tasks in the pack editor', async () => {
      await page.locator('#record-tasks').click();
      await page.locator('[data-item]').nth(1).waitFor(LIMIT);
      // What is wrong is looked for once the items stand there, so it comes after them.
      await page.locator('[data-problem="instruction"]').first().waitFor(LIMIT);
      await expect(page.locator('[data-problem="instruction"]')).toHaveCount(1);
    });
    await check('the pack replays the server', async () => {
      const shown = await command(koab, home, 'pack', 'show', 'kept');
      equal([shown.summary.title, shown.summary.records], ['Server of the tests 1', 2]);
    });
    await check('a server that dies ends the recording, which is kept up to there', async () => {
      await act.go(page, PAGE);
      await page.locator('#record-again').click();
      await start(page, { name: 'short', line: plain });
      await listening(page);
      const at = await part(page, 'url');
      await call(at, 'echo', { text: 'x' });
      await call(at, 'die').catch(() => undefined);
      await page.locator('[data-record-kept^="short@1"]').waitFor(LIMIT);
      await page.locator('[role="alert"]', { hasText: 'the disk is on fire' }).waitFor(LIMIT);
    });
    await check('a recording that goes on at the end is kept, and leaves no program', async () => {
      await page.locator('#record-again').click();
      await start(page, { name: 'ended', line: plain, mask: true });
      await listening(page);
      await call(await part(page, 'url'), 'notes');
      await counted(page, 1);
      equal(await runs(plain.replaceAll("'", '')), true);
      // What was refused above, a browser complains about by itself.
      equal(
        complaints.filter((one) => !/status of 4\d\d/.test(one)),
        [],
      );
      await context.close();
      await server.stop();
      equal(await runs(plain.replaceAll("'", '')), false);
      const shown = await command(koab, home, 'pack', 'show', 'ended');
      equal(shown.summary.records, 1);
    });
  });
});
