// An agent of somebody else's is run from the window: chosen in the form, warned of, watched, and read task by task.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as act from '../acts.mjs';
import { callTool, mcp } from '../mcp.mjs';
import { player } from '../player.mjs';
import { inHome, openPage, serve } from '../served.mjs';
import { command } from '../workspace.mjs';
import { equal, holds } from '../equal.mjs';
import { check, expect, story } from '../story.ts';

const LIMIT = { timeout: 180_000 };
const ROOT = join(import.meta.dirname, '../../..');
const AGENT = join(ROOT, 'src-tauri/crates/koab-agents/tests/agent.py');

/** Its definition, with these words as its command. */
async function definition(home, name, words) {
  const path = join(home, `${name}.json`);
  const env = { KOAB_OPENAI: '{openai}', KOAB_MCP_URL: '{mcp}', KOAB_TOKEN: '{token}' };
  const answer = { after: '===FINAL===' };
  await writeFile(
    path,
    JSON.stringify({ name, kind: 'command', command: words, env, answer, failed: { exit: 'nonzero' } }),
  );
  return path;
}

/** The form with an agent's file in it. */
async function choose(page, model, path) {
  await act.chooseServer(page, model.baseUrl, 'model-a');
  await page.selectOption('#agent', 'file');
  await page.locator('#agent-file').fill(path);
  await page.locator('#agent-file').press('Tab');
}

/** The run goes on its page until it is over; its id. */
async function done(page) {
  await page.locator('[data-phase="over"]').waitFor(LIMIT);
  return page.evaluate(() => decodeURIComponent(location.hash.split('/')[2]));
}

/** What a run did in a level: of each task its calls and its answer. */
async function did(home, run, level) {
  const { results } = JSON.parse(
    await readFile(join(home, 'logs/benchmark_results/by_model', run, `${level}.json`), 'utf8'),
  );
  holds(results.length > 0, `no task of ${level}`);
  return results.map(({ task_id, tool_calls, final_response }) => [
    task_id,
    tool_calls.map(({ tool_name, arguments: given }) => [tool_name, given]),
    final_response,
  ]);
}

story('agents', async ({ koab, browser }) => {
  await inHome(async (home) => {
    const model = await player(join(ROOT, 'tasks'));
    const server = await serve(koab, home);
    const { page, context, complaints } = await openPage(browser, server);
    const own = await definition(home, 'own', ['python3', AGENT, 'once', '{prompt}']);
    let run;
    await check('the agents are listed with how each is installed, and one that is not there says so', async () => {
      await act.go(page, '#/agents');
      await page.locator('[data-agent="codex"]').waitFor(LIMIT);
      await expect
        .poll(() => page.locator('[data-agent]').count(), 'the shipped definitions')
        .toBeGreaterThanOrEqual(13);
      await expect(page.locator('[data-agent="codex"]'), 'its command').toContainText('npm install -g @openai/codex');
    });
    await check('a file that is no definition is one sentence at the form', async () => {
      await choose(page, model, AGENT);
      // The estimate beside the form says it as well.
      const form = page.getByRole('form', { name: 'New run' });
      await expect(form.getByRole('alert').filter({ hasText: 'agent.py' })).toHaveCount(1, LIMIT);
    });
    await check('the form says that an agent runs outside of any container before it starts', async () => {
      await choose(page, model, own);
      await page.locator('[data-agent-note] [data-contained="false"]').waitFor(LIMIT);
    });
    await check('its run goes like any other, and its page names it', async () => {
      await page.locator(`${act.form.run}:not([disabled])`).click();
      run = await done(page);
      await expect(page.locator('[data-agent]').first(), 'the agent').toContainText('own');
      await expect.poll(() => act.inState(page, 'failed')).toBe(0);
    });
    await check('its calls and answers are those of a run without it', async () => {
      const words = ['--model', 'openai_compat/model-a', '--base-url', model.baseUrl, '--levels', 'L1,L2,L3,L4'];
      await command(koab, home, 'run', ...words);
      const native = (await command(koab, home, 'runs', 'list')).find(({ id }) => id !== run);
      for (const level of ['L1', 'L2', 'L3', 'L4'])
        equal(await did(home, run, level), await did(home, native.id, level));
    });
    await check('a task of it is read call by call', async () => {
      await act.go(page, `#/runs/${encodeURIComponent(run)}/L1-001`);
      await page.locator('[data-step]').first().waitFor(LIMIT);
    });
    await check('what it did beside its steps stands with the task and with the run', async () => {
      const own = (text) => page.locator('[data-conduct]', { hasText: text }).waitFor(LIMIT);
      await own('Calls of its own tools');
      await act.go(page, `#/runs/${encodeURIComponent(run)}`);
      await own('Calls of its own tools');
    });
    await check('what cannot be compared is said', async () => {
      await page
        .locator('main', { hasText: 'an agent drove the model, which no published run has: own' })
        .waitFor(LIMIT);
    });
    await check(
      'a program that is missing ends the run with one sentence, and no attempt counts as failed',
      async () => {
        await choose(page, model, await definition(home, 'lost', ['no-such-agent', '{prompt}']));
        await page.locator(`${act.form.run}:not([disabled])`).click();
        await page.locator('[data-phase="over"]', { hasText: 'no-such-agent' }).waitFor(LIMIT);
        await expect.poll(() => act.inState(page, 'failed')).toBe(0);
        await expect.poll(() => act.inState(page, 'done')).toBe(0);
      },
    );
    await check('one that is used by hand shows what to carry, and its answer is pasted', async () => {
      // What a chat program sends to the tools that it was given.
      const address = await act.startByHand(page, model.baseUrl, 'model-a', 'L1-001');
      const { result } = await mcp(address, 'tools/list');
      await callTool(address, result.tools[0].name);
      await page.locator('#hand-answer').fill('붙여 넣은 답변');
      await page.click('#hand-give');
      const id = await done(page);
      await expect(page.locator('[data-hand]')).toHaveCount(0);
      const [[task, calls, answer]] = await did(home, id, 'L1');
      equal([task, calls.length, answer], ['L1-001', 1, '붙여 넣은 답변']);
    });
    await check('nothing is complained of', async () =>
      equal(
        complaints.filter((one) => !/status of 4\d\d/.test(one)),
        [],
      ),
    );
    await context.close();
    model.stop();
    await server.stop();
  });
});
