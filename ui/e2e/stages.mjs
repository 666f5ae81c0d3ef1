// What is done on a page before it is looked at, and what ends it: states that no workspace keeps.
import * as act from './acts.mjs';
import { callTool, serverLine } from './mcp.mjs';
import { ask } from './served.mjs';
import { until } from './settled.mjs';

const DRAFT = 'koab.draft';
const MODEL = 'skill-5';

/** The form is closed, and what was typed is gone. */
async function emptied(page) {
  await act.go(page, '#/runs');
  await page.locator(act.form.run).waitFor({ state: 'detached' });
  await page.evaluate((draft) => sessionStorage.removeItem(draft), DRAFT);
}

/** Neither the run nor a report of it is in a list any more. */
async function forgotten(page, run) {
  const reports = await ask(page, 'reports_library');
  for (const { id } of reports.filter((report) => report.run === run)) await ask(page, 'report_delete', { id });
  await ask(page, 'run_trash', { run });
}

const keys = new WeakMap();

/** A report lies in the trash. */
export const trashed = {
  async before(page) {
    const [report] = await ask(page, 'reports_library');
    const { key } = await ask(page, 'report_delete', { id: report.id });
    keys.set(page, key);
    // The list is read again when the reader comes back to the page.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
  },
  async after(page) {
    await ask(page, 'trash_restore', { kind: 'report', key: keys.get(page) });
  },
};

/** In the form of a run an agent is chosen. */
export const agentChosen = {
  async before(page, { server }) {
    await act.chooseServer(page, server.baseUrl, MODEL);
    await page.selectOption('#agent', 'codex');
  },
  after: emptied,
};

/** In the form a pack of another benchmark is chosen. */
export const otherChosen = {
  async before(page, { server }) {
    await act.chooseServer(page, server.baseUrl, MODEL);
    await page.selectOption('#pack', 'functionchat');
  },
  after: emptied,
};

async function planned(page, server) {
  await act.draftAdaptive(page, server.baseUrl, MODEL);
  await page.locator('#half-width').fill('10');
  await page.locator('[data-adaptive-plan] [data-expected]').waitFor();
}

/** In the form an adaptive run is planned. */
export const adaptivePlanned = {
  before: (page, { server }) => planned(page, server),
  after: emptied,
};

/** An adaptive run is under way. */
export const adaptiveGoing = {
  async before(page, { server }) {
    await planned(page, server);
    server.gate.hold();
    await page.locator(act.form.run).click();
  },
  async after(page, { server }) {
    const id = await page.evaluate(() => decodeURIComponent(location.hash.split('/')[2]));
    await page.locator('#cancel-adaptive').click();
    await page.locator('[data-stopped]').waitFor();
    server.gate.open();
    const { found } = await ask(page, 'adaptive_show', { id });
    await ask(page, 'adaptive_forget', { id });
    for (const run of found.runs) await forgotten(page, run);
    await emptied(page);
  },
};

/** A run waits for the answer of an agent that is used by hand. */
export const byHand = {
  before: (page, { server }) => act.startByHand(page, server.baseUrl, MODEL, 'L1-001'),
  async after(page) {
    await page.locator('#hand-none').click();
    await page.locator('[data-phase="over"]').waitFor();
    // It is scored before it is over for the lists.
    await until(page, 'no run is current', async () => (await ask(page, 'runs_now')).current === null);
    await forgotten(page, await page.evaluate(() => decodeURIComponent(location.hash.split('/')[2])));
    await emptied(page);
  },
};

/**
 * An agent was checked, with this answer of the engine's: whether an agent is installed, and whether there are containers,
 * is another matter on every computer.
 */
export const checked = (result) => ({
  async before(page) {
    const [agent, of] = ['codex', '**/api/call/agent_check'];
    const body = JSON.stringify({ name: agent, ...CHECKED, ...result });
    await page.route(of, (route) => route.fulfill({ status: 200, contentType: 'application/json', body }));
    // Of the check before, the page may show the result still.
    const answered = page.waitForResponse(of);
    await page.locator(`[data-agent="${agent}"] button`).first().click();
    await answered;
    await page.unroute(of);
  },
});
const CHECKED = {
  ...{ version: '0.169.0', definition: '0'.repeat(64), contained: true, passed: true, startup_s: 1.2, seconds: 2.7 },
  ...{ wire: 'responses', offered_as: 'koab__weather', offered_at_once: true, own_tools: ['shell', 'update_plan'] },
  ...{
    call_arrived: true,
    answer_equal: true,
    side_calls: 0,
    outlived: false,
    hosts_asked_for: [],
    goes_on_after_error: true,
    traps: [],
  },
};

/** The form of a recording, where one was made before as well. */
export const recordForm = {
  async before(page) {
    await page.locator('#record-name, #record-again').first().waitFor();
    if (await page.locator('#record-again').count()) await page.locator('#record-again').click();
  },
};

/** A server is recorded: one call was answered, one failed, one is of the next session. */
export const recordingLive = {
  async before(page) {
    await recordForm.before(page);
    await act.recording.start(page, { name: 'weather', line: serverLine('screens') });
    await act.recording.listening(page);
    const url = await act.recording.part(page, 'url');
    await callTool(url, 'echo', { text: '서울 날씨' });
    await callTool(url, 'nothing');
    await page.locator('#record-session').click();
    await callTool(url, 'add', { a: 2, b: 3 });
    await act.recording.counted(page, 3);
  },
  /** It is stopped, and what it holds is shown from then on. */
  async after(page) {
    await page.locator('#record-stop').click();
    await page.locator('[data-record-kept]').waitFor();
  },
};
