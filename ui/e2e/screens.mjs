// Every screen, once: what the accessibility checks and the pictures go through.
import { frames, settled } from './settled.mjs';
import * as stage from './stages.mjs';

/** The report of one of the workspace's own runs, for an address. */
const own = (reports) => encodeURIComponent(reports?.find((id) => id.startsWith('baseline_')) ?? '');

/**
 * `at` is the address, or a function of what is in the workspace (see `filled` in workspace.mjs) that answers nothing where
 * the workspace lacks what the screen is of: a fault, unless `optional` says why some have none. `ready` is there when the
 * screen shows what it has to; `over`: in something that lies over the page. `before` is done at the address, with the page
 * and the workspace, for what no workspace keeps, and `after` ends it. The ten with the most
 * content are `dense`.
 */
/**
 * @typedef {(page: any, workspace: any) => Promise<void>} Step
 * @type {{ name: string, dense?: boolean, at: string | ((workspace: any) => any), ready: string,
 *   over?: boolean, optional?: string, before?: Step, after?: Step }[]}
 */
export const SCREENS = [
  { name: 'runs', dense: true, at: '#/runs', ready: '#main [role="grid"] [data-run-part="gate"]' },
  { name: 'new run', dense: true, at: '#/runs?new=1', ready: '[data-estimate] dd', over: true },
  {
    name: 'new run with an agent',
    at: '#/runs?new=1',
    ready: '[data-agent-note]',
    over: true,
    ...stage.agentChosen,
  },
  {
    name: 'new run of another benchmark',
    at: '#/runs?new=1',
    ready: '[data-estimate] dd',
    over: true,
    ...stage.otherChosen,
  },
  {
    name: 'new adaptive run',
    at: '#/runs?new=1',
    ready: '[data-adaptive-plan] [data-expected]',
    over: true,
    ...stage.adaptivePlanned,
  },
  { name: 'import', at: '#/reports?import=new', ready: '#import-files', over: true },
  { name: 'run', dense: true, at: ({ run }) => run && `#/runs/${encodeURIComponent(run)}`, ready: '[data-task]' },
  {
    name: 'run on a cluster',
    at: ({ cluster }) => cluster && `#/runs/${encodeURIComponent(cluster)}`,
    ready: '[data-shard]',
  },
  { name: 'task by hand', at: '#/runs', ready: '[data-hand]', ...stage.byHand },
  {
    name: 'run of a gate',
    at: ({ gate }) => gate && `#/runs/${encodeURIComponent(gate.run)}`,
    ready: '#report-table tbody[data-level]',
  },
  { name: 'report of a gate', at: ({ gate }) => gate && `#/reports/${gate.report}`, ready: '#level-table' },
  { name: 'sweeps', at: '#/sweeps', ready: '#main [data-sweep]' },
  { name: 'new sweep', at: ({ sweep }) => sweep && `#/sweeps?new=1&of=${sweep}`, ready: '[data-plan]' },
  {
    name: 'sweep',
    dense: true,
    at: ({ sweep }) => sweep && `#/sweeps/${sweep}`,
    ready: '[data-map] [data-verdict="baseline"]',
  },
  { name: 'adaptive runs', at: '#/adaptive', ready: '#main [data-adaptive]' },
  { name: 'adaptive run', at: ({ adaptive }) => adaptive && `#/adaptive/${adaptive}`, ready: '#main [data-group]' },
  { name: 'adaptive run under way', at: '#/runs', ready: '[data-under-way]', ...stage.adaptiveGoing },
  { name: 'misses', at: ({ run }) => run && `#/runs/${encodeURIComponent(run)}?part=misses`, ready: '#misses-title' },
  {
    name: 'transcript',
    dense: true,
    at: ({ run, task }) => run && task && `#/runs/${encodeURIComponent(run)}/${encodeURIComponent(task)}`,
    ready: '#main article[data-turn]',
  },
  {
    name: 'run of another benchmark',
    at: ({ other }) => other && `#/runs/${encodeURIComponent(other.run)}`,
    ready: '[data-task]',
  },
  {
    name: 'item of another benchmark',
    at: ({ other }) => other && `#/runs/${encodeURIComponent(other.run)}/${encodeURIComponent(other.task)}`,
    ready: '#main article[data-turn]',
  },
  {
    name: 'report of another benchmark',
    at: ({ other }) => other && `#/reports/${encodeURIComponent(other.report)}`,
    ready: '#main [data-tables]',
  },
  {
    name: 'report without judges',
    at: ({ other }) => other && `#/reports/${encodeURIComponent(other.unjudged)}`,
    ready: '#main [data-tables]',
  },
  { name: 'pack of another benchmark', at: '#/packs/functionchat', ready: '#main [data-pack="functionchat"]' },
  { name: 'reports', dense: true, at: '#/reports', ready: '#main [role="grid"] [data-run-part="gate"]' },
  { name: 'reports over time', at: '#/reports?view=time', ready: '#main [data-time]' },
  {
    name: 'report',
    dense: true,
    at: ({ report }) => report && `#/reports/${encodeURIComponent(report)}`,
    ready: '#level-table',
  },
  {
    name: 'repetitions',
    at: ({ reports }) => own(reports) && `#/reports/${own(reports)}?tab=repetitions`,
    ready: '#main h2',
  },
  {
    name: 'submission',
    at: ({ reports }) => own(reports) && `#/reports/${own(reports)}/submit?step=names`,
    ready: '#main table[data-row]',
  },
  {
    name: 'submission to save',
    at: ({ reports }) => own(reports) && `#/reports/${own(reports)}/submit?step=save`,
    ready: '[data-save="bundle"]',
  },
  {
    name: 'bundle',
    at: ({ bundle }) => bundle && `#/reports?verify=${encodeURIComponent(bundle)}`,
    ready: '[data-verdict]',
  },
  { name: 'compare', at: '#/compare', ready: '#main h2' },
  {
    name: 'compared',
    at: ({ reports }) =>
      reports?.length > 1 && `#/compare?reports=${encodeURIComponent(reports.slice(0, 2).join(','))}`,
    ready: '#main [data-verdict]',
  },
  {
    name: 'compared many',
    dense: true,
    at: ({ reports }) =>
      reports?.length > 7 && `#/compare?reports=${encodeURIComponent(reports.slice(0, 8).join(','))}`,
    ready: '#main [data-verdict]',
    optional: 'the published reports are not there',
  },
  ...['ranks', 'pairs'].map((part) => ({
    name: `compared ${part}`,
    at: ({ reports }) =>
      reports?.length > 2 && `#/compare?reports=${encodeURIComponent(reports.slice(0, 3).join(','))}&all=${part}`,
    ready: '#main [role="tabpanel"] table',
  })),
  {
    name: 'compared across benchmarks',
    at: ({ other }) => other && `#/compare?reports=${encodeURIComponent(other.reports.join(','))}`,
    ready: '#main [data-across]',
  },
  { name: 'atlas', at: '#/atlas', ready: '#main h2' },
  {
    name: 'atlas of another benchmark',
    at: ({ other }) => other && `#/atlas?reports=${encodeURIComponent(other.report)}`,
    ready: '#main [data-items]',
  },
  {
    name: 'judge lab',
    at: ({ other }) => other && `#/judging?reports=${encodeURIComponent(other.reports.slice(0, 2).join(','))}`,
    ready: '#main table',
  },
  { name: 'search', at: '#/find', ready: '#find-query' },
  { name: 'search with hits', at: '#/find?q=level%3AL1', ready: '#main [data-hit]' },
  { name: 'reviews', at: '#/judging', ready: '#queues [data-queue]' },
  { name: 'random review', at: ({ queues }) => queues && `#/judging/queue/${queues.blind}`, ready: '[data-random]' },
  {
    name: 'corrected score',
    at: ({ queues }) => queues && `#/judging/queue/${queues.revealed}`,
    ready: '#corrected [data-corrected]',
  },
  { name: 'tasks', dense: true, at: '#/tasks', ready: '#main [role="grid"] [role="gridcell"]' },
  {
    name: 'items of another benchmark',
    at: '#/tasks?pack=functionchat',
    ready: '#main [role="grid"] [role="gridcell"]',
  },
  { name: 'task', at: ({ task }) => task && `#/tasks/${encodeURIComponent(task)}`, ready: '#main h2' },
  { name: 'models', at: '#/models', ready: '#main h2' },
  { name: 'keys of tools and services', at: '#/models?tab=services', ready: '[data-provider="langfuse"]' },
  { name: 'agents', at: '#/agents', ready: '#main [data-agent]' },
  { name: 'agent that passes', at: '#/agents', ready: '[data-agent-checked="true"]', ...stage.checked({}) },
  {
    name: 'agent that fails',
    at: '#/agents',
    ready: '[data-agent-checked="false"]',
    ...stage.checked({
      ...{ version: '0.170.1', contained: false, passed: false, call_arrived: false, side_calls: 2 },
      traps: [
        'the model asked for the call and the agent did not make it: look for an approval mode that asks somebody, for tools that have to be allowed, and for arguments that it demands although they are optional',
        {
          text: 'the definition was tried with version {verified}; this is another one',
          args: { verified: '0.169.0' },
        },
      ],
    }),
  },
  {
    name: 'local model',
    at: ({ model }) => model && `#/models/${encodeURIComponent(model)}`,
    ready: '[data-trial-result]',
    optional: 'no models are built in',
  },
  // Where a run of scenarios goes on, it stands above the results.
  { name: 'scenarios', at: '#/scenarios', ready: '#main h2' },
  { name: 'scenario form', at: '#/scenarios/new', ready: '#scenario-plan' },
  { name: 'scenario table', at: ({ scenario }) => scenario && `#/scenarios/table/${scenario}`, ready: '#main table' },
  {
    name: 'scenario trial',
    at: ({ scenario, instance }) => scenario && instance && `#/scenarios/trial/${scenario}/${instance}/0`,
    ready: '#main [data-facts]',
  },
  { name: 'packs', at: '#/packs', ready: '#main h2' },
  { name: 'record a server', at: '#/packs?record=1', ready: '#record-name', ...stage.recordForm },
  { name: 'recording', at: '#/packs?record=1', ready: '[data-record-count="3"]', ...stage.recordingLive },
  { name: 'kept recording', at: '#/packs?record=1', ready: '[data-record-kept]' },
  { name: 'own packs', at: '#/packs?edit=1', ready: '[data-draft]' },
  { name: 'pack editor', dense: true, at: '#/packs?edit=1&draft=mine', ready: '[data-field]' },
  { name: 'settings', at: '#/settings', ready: '#main h2' },
  { name: 'trash', at: '#/trash', ready: '[data-restore]', ...stage.trashed },
  { name: 'help', at: '#/help/compare', ready: '.rendered img' },
];

export const LANGUAGES = ['en', 'ko'];
export const THEMES = ['light', 'dark'];

const addressOf = (screen, workspace) => (typeof screen.at === 'string' ? screen.at : screen.at(workspace));

/** The screens that this workspace has; `lacks` hears of those that it may lack. */
export function screensOf(workspace, lacks) {
  return SCREENS.filter((screen) => {
    const has = addressOf(screen, workspace) || !screen.optional;
    if (!has) lacks(`${screen.name}: ${screen.optional}`);
    return has;
  });
}

/** Looks at a screen of an open page once it stands, and ends what was begun for it. */
export async function looked(page, screen, workspace, look) {
  try {
    await show(page, screen, workspace);
    await look();
  } finally {
    await screen.after?.(page, workspace);
  }
}

/** Goes to a screen and waits until it stands. It fails where there is nothing to show, or an error instead. */
export async function show(page, screen, workspace) {
  const at = addressOf(screen, workspace);
  if (!at) throw new Error(`the workspace has nothing to show on ${screen.name}`);
  await page.evaluate((at) => (location.hash = at), at);
  // What is there before the page has heard of its new address is the screen before.
  await frames(page);
  await screen.before?.(page, workspace);
  await page.locator(screen.ready).first().waitFor();
  await settled(page);
  const failed = await page.locator('#main [role="alert"]').allTextContents();
  if (failed.length > 0) throw new Error(`${screen.name} shows an error: ${failed.join(' · ').replace(/\s+/g, ' ')}`);
}
