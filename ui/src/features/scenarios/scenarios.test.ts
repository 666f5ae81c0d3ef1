import { mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../../ipc/client';
import type {
  Fault,
  Job,
  ScenarioLive,
  ScenarioPlan,
  ScenarioRemote,
  ScenarioRequest,
  ScenarioTable,
  ScenarioTrial,
  ScenarioTrialPage,
} from '../../ipc/gen';
import { createFake, type FakeOptions } from '../../platform/fake';
import { FakeJobs } from '../../platform/fakeJobs';
import { findingForTests } from '../../shared/findingForTests';
import HostForTests from '../../shared/HostForTests.svelte';
import { at, route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import { benchmarkOf, draftOf, requestOf } from './draft';
import { conversations } from './messages';
import Screen from './Screen.svelte';

let screen: Record<string, unknown> | undefined;
let unroute = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  unroute = route.begin();
});

afterEach(async () => {
  if (screen) await unmount(screen);
  screen = undefined;
  unroute();
  vi.useRealTimers();
});

const request: ScenarioRequest = {
  ...requestOf({ ...draftOf(), path: '/b/Tasks/demo.jsonl' }),
  repetitions: 2,
  parallel: 2,
};
const trial = (instance: string, repetition: number, more: Partial<ScenarioTrial>): ScenarioTrial => ({
  scenario: 'demo',
  instance,
  repetition,
  state: 'waiting',
  cause: null,
  seconds: null,
  ...more,
});
const run = (more: Partial<ScenarioLive>): ScenarioLive => ({
  id: 's1',
  request,
  trials: [],
  said: null,
  summary: null,
  error: null,
  cancelling: false,
  elapsed_s: 12,
  ...more,
});
const empty = { folder: '/workspace/results', exists: true, scenarios: [] };
const keys = { keychain: 'ready', keychain_sentence: '', file: 'none', keys: [] } as never;

async function open(address: string, { answers, ...options }: FakeOptions = {}): Promise<void> {
  route.go(address, { replace: true });
  const usual = {
    scenario_live: () => [],
    scenario_remote: () => null,
    scenario_results: () => empty,
    keys_list: () => keys,
  };
  const platform = createFake({ ...options, answers: { ...usual, ...answers } });
  const host = { platform, client: createClient(platform) };
  screen = mount(HostForTests, { target: document.body, props: { host, shown: Screen as never, props: {} } });
  await settle();
}

const find = <E extends HTMLElement = HTMLElement>(selector: string) => document.querySelector<E>(selector);
const text = () => document.body.textContent ?? '';

function type(selector: string, value: string): void {
  const input = find<HTMLInputElement>(selector);
  if (!input) throw new Error(`no ${selector}`);
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const plan: ScenarioPlan = {
  results: '/workspace/results',
  trials: [
    ['demo/a/0', 'run'],
    ['demo/b/0', 'skip'],
  ],
  to_run: 1,
  finished: 1,
  warnings: ['a: “__X__” occurs nowhere'],
  variables: ['OPENAI_API_KEY'],
  config: 'OAI_CONFIG_LIST (gpt-x)',
  config_file: '/b/own.yaml',
};

it('nothing starts before a plan, and a changed form needs another one', async () => {
  const scenario_start = vi.fn(() => 's1');
  await open(at('scenarios', 'new'), { answers: { scenario_plan: () => plan, scenario_start } });
  const start = () => find<HTMLButtonElement>('#scenario-start');
  expect(start()?.disabled).toBe(true);
  find('#scenario-plan')?.click();
  await settle();
  expect(find('[role="alert"]')?.textContent).toContain('Choose a scenario file');
  type('#scenario-path', '/b/Tasks/demo.jsonl');
  find('#scenario-plan')?.click();
  await settle();
  for (const words of ['1 to run', '1 already finished', 'occurs nowhere', 'OPENAI_API_KEY', 'gpt-x', '/b/own.yaml']) {
    expect(find('[data-plan]')?.textContent).toContain(words);
  }
  type('#scenario-repetitions', '3');
  await settle();
  expect(start()?.disabled).toBe(true);
  find('#scenario-plan')?.click();
  await settle();
  start()?.click();
  await settle();
  expect(scenario_start).toHaveBeenCalledWith({
    request: expect.objectContaining({ repetitions: 3, folder: '/b', native: false }),
  });
});

it('where no container engine answers, form and plan say so and what to do', async () => {
  const missing = {
    what: 'containers',
    ok: false,
    found: 'no engine answers at unix:///run/docker.sock (no such file)',
    remedy: 'start Docker or Podman',
  };
  let doctor = [missing];
  const sound = { ...plan, warnings: [] };
  await open(at('scenarios', 'new'), { answers: { scenario_plan: () => sound, doctor: () => doctor } });
  expect(find('[data-containers="missing"]')?.textContent).toContain('start Docker or Podman');
  type('#scenario-path', '/b/Tasks/demo.jsonl');
  find('#scenario-plan')?.click();
  await settle();
  expect(find('[data-warnings]')?.textContent).toContain('No container engine responds');
  // It is looked for again when asked, and a plan then has nothing to warn of.
  doctor = [{ ...missing, ok: true, found: 'Docker 29', remedy: '' }];
  find('#containers-again')?.click();
  await settle();
  expect(find('[data-containers]')).toBeNull();
  expect(find('[data-plan]')?.textContent).toContain('No warnings');
});

it('a plan without containers has no use for their engine', async () => {
  const doctor = vi.fn(() => []);
  await open(at('scenarios', 'new'), { answers: { scenario_plan: () => ({ ...plan, warnings: [] }), doctor } });
  type('#scenario-path', '/b/Tasks/demo.jsonl');
  find('#scenario-native')?.click();
  await settle();
  find('#scenario-consent')?.click();
  find('#scenario-plan')?.click();
  await settle();
  expect(find('[data-warnings]')).toBeNull();
  expect(text()).toContain('No warnings');
});

it('every bad line is listed, and nothing can be started', async () => {
  const problems = [
    findingForTests<Fault>({ code: 'form', file: '/b/x.jsonl', line: 2, sentence: 'is not JSON' }),
    findingForTests<Fault>({ code: 'form', file: '/b/x.jsonl', line: 7, sentence: 'the template is not there' }),
  ];
  await open(at('scenarios', 'new'), {
    answers: { scenario_problems: () => problems },
    failing: { scenario_plan: { code: 'bad_file', message: 'all of it in one text' } },
  });
  type('#scenario-path', '/b/x.jsonl');
  find('#scenario-plan')?.click();
  await settle();
  const cells = [...document.querySelectorAll('[data-problems] td')].map((cell) => cell.textContent);
  expect(cells.map((cell) => cell?.trim())).toEqual([
    ...['error', 'x.jsonl › line 2', 'is not JSON'],
    ...['error', 'x.jsonl › line 7', 'the template is not there'],
  ]);
  expect(find<HTMLButtonElement>('#scenario-start')?.disabled).toBe(true);
});

it('without containers nothing is planned before the user consents', async () => {
  const scenario_plan = vi.fn(() => plan);
  await open(at('scenarios', 'new'), { answers: { scenario_plan } });
  type('#scenario-path', '/b/Tasks/demo.jsonl');
  find('#scenario-native')?.click();
  await settle();
  expect(text()).toContain('Without a container it runs with your permissions');
  find('#scenario-plan')?.click();
  await settle();
  expect(scenario_plan).not.toHaveBeenCalled();
  find('#scenario-consent')?.click();
  find('#scenario-plan')?.click();
  await settle();
  expect(scenario_plan).toHaveBeenCalledWith({ request: expect.objectContaining({ native: true }) });
});

it('a part of each file and further folders for templates are asked for as the command line does', async () => {
  const scenario_plan = vi.fn(() => plan);
  const pick = vi.fn(async () => ['/templates/two']);
  await open(at('scenarios', 'new'), { answers: { scenario_plan }, host: { pick } });
  type('#scenario-path', '/b/Tasks/demo.jsonl');
  for (const wrong of ['half', '1.5', '-3', '0', '2.0', '10 %']) {
    type('#scenario-subsample', wrong);
    find('#scenario-plan')?.click();
    await settle();
    expect(find('[role="alert"]')?.textContent).toContain('a fraction with a decimal point');
    expect(find('#scenario-subsample')?.getAttribute('aria-invalid')).toBe('true');
  }
  expect(scenario_plan).not.toHaveBeenCalled();
  type('#scenario-allow', ' /templates/one \n');
  find('#scenario-allow-add')?.click();
  await settle();
  expect(pick).toHaveBeenCalledWith({ title: 'Additional template folders', folders: true });
  for (const [typed, subsample] of [
    ['', null],
    ['20', '20'],
    [' 0.25 ', '0.25'],
    ['.5', '.5'],
    ['1.0', '1.0'],
  ] as const) {
    type('#scenario-subsample', typed);
    find('#scenario-plan')?.click();
    await settle();
    expect(scenario_plan).toHaveBeenLastCalledWith({
      request: expect.objectContaining({ subsample, allow: ['/templates/one', '/templates/two'] }),
    });
  }
});

it('a run that is changed and run again keeps its part and its folders', async () => {
  const scenario_plan = vi.fn(() => plan);
  const earlier = run({ request: { ...request, subsample: '0.1', allow: ['/templates'] } });
  await open(at('scenarios', 'new'), { answers: { scenario_plan, scenario_live: () => [earlier] } });
  find('#scenario-plan')?.click();
  await settle();
  expect(scenario_plan).toHaveBeenCalledWith({
    request: expect.objectContaining({ subsample: '0.1', allow: ['/templates'] }),
  });
});

it('a model is offered with its caps, and what contradicts itself is said before anything is planned', async () => {
  const scenario_plan = vi.fn(() => plan);
  const models_list = () => [
    {
      id: 'openai/',
      kind: 'server' as const,
      default_base_url: 'https://x',
      needs_base_url: false,
      needs: [{ any_of: ['OPENAI_API_KEY'], present: false }],
    },
  ];
  await open(at('scenarios', 'new'), { answers: { scenario_plan, models_list } });
  type('#scenario-path', '/b/Tasks/demo.jsonl');
  type('[data-model]', 'openai/gpt-4o');
  await settle();
  expect(text()).toContain('Not set: OPENAI_API_KEY.');
  type('[placeholder="OAI_CONFIG_LIST"]', 'list.json');
  find('#scenario-plan')?.click();
  await settle();
  expect(find('[role="alert"]')?.textContent).toContain('either a model or a model configuration');
  expect(scenario_plan).not.toHaveBeenCalled();
  type('[placeholder="OAI_CONFIG_LIST"]', '');
  find('#scenario-plan')?.click();
  await settle();
  expect(scenario_plan).toHaveBeenCalledWith({
    request: expect.objectContaining({ model: 'openai/gpt-4o', max_cost: null, replay: null }),
  });
});

it('a live run is asked for whenever the engine tells of it until it is over, and its log grows', async () => {
  const jobs = new FakeJobs();
  const tell = (finished: boolean) =>
    jobs.tell({ id: '7-1', kind: 'scenario_run', about: ['s1'], finished } as unknown as Job);
  tell(false);
  let asked = 0;
  const running = run({
    trials: [trial('a', 0, { state: 'running' }), trial('a', 1, { state: 'skipped', cause: 'completed', seconds: 2 })],
  });
  const summary = {
    results: '/r',
    trials: 2,
    skipped: 1,
    ended: { timed_out: 1 },
    not_run: 0,
    complete: false,
    cancelled: false,
    broken: null,
    spent: null,
  };
  const over = run({
    trials: [
      trial('a', 0, { state: 'ended', cause: 'timed_out', seconds: 9 }),
      trial('a', 1, { state: 'skipped', cause: 'completed', seconds: 2 }),
    ],
    summary,
  });
  const scenario_live = vi.fn(() => [asked > 1 ? over : running]);
  const pieces = [
    { text: '\x1b[31mone\x1b[0m\n', next: 4, cut: false },
    { text: 'two <b>\n', next: 9, cut: false },
  ];
  const scenario_log = vi.fn(
    ({ after }: { after: number }) =>
      (after === 0 ? pieces[0] : after === 4 ? pieces[1] : { text: '', next: 9, cut: false }) as never,
  );
  await open(at('scenarios'), { jobs, answers: { scenario_live, scenario_log } });
  expect(find('[data-cell="0-0"]')?.getAttribute('aria-label')).toBe('a, repetition 0: running');
  expect(find('[data-cell="0-1"]')?.getAttribute('aria-label')).toContain('completed, 2.0 s (already finished)');
  expect(find('[data-line="1"] .c-red')?.textContent).toBe('one');
  tell(false);
  await settle();
  expect(find('[data-line="2"]')?.textContent).toContain('two <b>');
  asked = 2;
  tell(true);
  await settle();
  expect(find('[data-cell="0-0"]')?.getAttribute('aria-label')).toContain('timed out');
  expect(find('[data-summary]')?.textContent).toContain('1 trial did not run or did not finish');
  const calls = scenario_live.mock.calls.length;
  await settle(5000);
  expect(scenario_live.mock.calls.length).toBe(calls);
});

it('stopping asks first', async () => {
  const scenario_cancel = vi.fn(() => null);
  const scenario_log = () => ({ text: '', next: 0, cut: false });
  await open(at('scenarios'), {
    answers: {
      scenario_live: () => [run({ trials: [trial('a', 0, { state: 'running' })] })],
      scenario_log,
      scenario_cancel,
    },
  });
  find('#scenario-cancel')?.click();
  await settle();
  expect(scenario_cancel).not.toHaveBeenCalled();
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(scenario_cancel).toHaveBeenCalledWith({ id: 's1' });
});

it('no container engine is a state of its own with a way to try again', async () => {
  const scenario_start = vi.fn(() => 's2');
  const error = { code: 'docker_unavailable', message: 'nothing answers at /var/run/docker.sock' } as const;
  await open(at('scenarios'), { answers: { scenario_live: () => [run({ error })], scenario_start } });
  expect(find('[data-no-docker]')?.textContent).toContain('/var/run/docker.sock');
  find('#scenario-again')?.click();
  await settle();
  expect(scenario_start).toHaveBeenCalledWith({ request });
});

const none = { interval: null, reason: 'there are fewer than two' };
const table: ScenarioTable = {
  folder: '/r/demo',
  curve: [{ k: 1, value: 0.5, interval: none }],
  scorer: 'markers',
  repetitions: [0, 1],
  rows: [
    {
      instance: 'a',
      trials: [
        { repetition: 0, verdict: 'passed', cause: 'completed', exit_code: 0, seconds: 3 },
        { repetition: 1, verdict: 'missing', why: 'it was not run', cause: null, exit_code: null, seconds: null },
      ],
      passed: 1,
      failed: 0,
      missing: 1,
    },
  ],
  totals: {
    instances: 1,
    trials: 2,
    passed: 1,
    failed: 0,
    missing: 1,
    passed_once: 1,
    passed_always: 0,
    pass_at_k: [{ k: 1, value: 0.5 }],
    wilson: none,
    over_instances: none,
    seconds: 3,
    timed: 1,
    causes: { completed: 1 },
  },
};

it('a table tells what is missing apart, opens a trial by keys, and is kept as CSV', async () => {
  const save = vi.fn(async () => '/tmp/demo.csv');
  const scenario_table = vi.fn(() => table);
  await open(at('scenarios', 'table', 'demo', { folder: '/r' }), {
    answers: { scenario_table, scenario_table_csv: () => 'instance\n' },
    host: { save },
  });
  expect(find('[data-totals]')?.textContent).toContain('50.0%');
  expect(text()).toContain('1 without verdict, counted as not passed');
  expect(find('[data-cell="0-1"]')?.getAttribute('aria-label')).toContain('no verdict · it was not run');
  find('#table-csv')?.click();
  await settle();
  expect(save).toHaveBeenCalledWith('demo.csv', 'instance\n', 'text/csv');
  const cell = find('[data-cell="0-0"]');
  cell?.focus();
  cell?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  await settle();
  expect((document.activeElement as HTMLElement).dataset['cell']).toBe('0-1');
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await settle();
  expect(route.place).toMatchObject({ rest: ['trial', 'demo', 'a', '1'], query: { folder: '/r' } });
});

const page: ScenarioTrialPage = {
  state: 'finished',
  why: null,
  outcome: {
    format: 1,
    origin: 'recorded',
    model_calls: {
      model: 'openai/gpt-4o',
      count: 3,
      failed: 1,
      replayed: 0,
      input_tokens: 100,
      output_tokens: 20,
      cost_usd: null,
      note: 'no price is known',
    },
    cause: 'failed',
    detail: null,
    exit_code: 1,
    pip_exit_code: null,
    started: '2026-11-21T10:00:00Z',
    ended: null,
    seconds: 4,
    scenario_seconds: null,
    setting: 'docker',
    image: { name: 'koab-test', digest: 'sha256:abc' },
    limits: {
      timeout_s: 60,
      memory_bytes: 4294967296,
      cpus: null,
      pids: null,
      output_bytes: null,
      network: null,
    },
    versions: { koab: '0.1.0' },
    template_sha256: null,
    command: [],
    warnings: ['__X__ occurs nowhere'],
    unknown: { ended: 'the clock went backwards' },
  },
  verdict: { verdict: 'failed' },
  folder: '/r/demo/a/0',
  files: [
    { path: 'a\u202eb.txt', bytes: 3, kind: 'file' },
    { path: 'leak', bytes: 0, kind: 'link' },
    { path: 'x_messages.json', bytes: 90, kind: 'file' },
  ],
  files_cut: false,
  findings: [
    findingForTests({ code: 'missing-module', line: 41, line_end: 43, sentence: 'a Python module is missing' }),
  ],
};

it('an outcome says why something is not known, and what its calls of a model came to', async () => {
  await open(at('scenarios', 'trial', 'demo', 'a', '0'), { answers: { scenario_trial: () => page } });
  for (const words of ['sha256:abc', 'the clock went backwards', '4.0 GiB', 'CPUs no limit', '__X__ occurs nowhere']) {
    expect(find('[role="tabpanel"]')?.textContent?.replace(/\s+/g, ' ')).toContain(words);
  }
  expect(text()).toContain('openai/gpt-4o · 3 calls, 1 failed · 120 tokens, — · no price is known');
});

it('a finding leads to its lines in the log', async () => {
  const scenario_trial_log = vi.fn(() => ({
    first_line: 1,
    lines: Array.from({ length: 60 }, (_, i) => `line ${i + 1}`),
    total_lines: 60,
    bytes: 500,
  }));
  await open(at('scenarios', 'trial', 'demo', 'a', '0', { tab: 'findings' }), {
    answers: { scenario_trial: () => page, scenario_trial_log },
  });
  find('[data-findings] button')?.click();
  await settle();
  expect(route.place.query).toMatchObject({ tab: 'log', line: '41', to: '43' });
  expect(scenario_trial_log).toHaveBeenCalledWith(expect.objectContaining({ line: 41 }));
});

it('links are not opened, hostile names are spelled out, and what agents said is text', async () => {
  const content = {
    kind: 'text',
    text: JSON.stringify([{ role: 'user', name: 'u', content: '<img src=x>' }]),
    cut: false,
  } as const;
  const answers = { scenario_trial: () => page, scenario_trial_file: () => content };
  await open(at('scenarios', 'trial', 'demo', 'a', '0', { tab: 'files', file: 'leak' }), { answers });
  expect([...document.querySelectorAll('[data-file] bdi')].map((name) => name.textContent)).toEqual([
    'a\\u202eb.txt',
    'x_messages.json',
  ]);
  expect(text()).toContain('link, not followed');
  expect(text()).toContain('Select a file');
  find('[data-tab="messages"]')?.click();
  await settle();
  expect(find('[data-messages]')?.textContent).toContain('<img src=x>');
  expect(find('[data-messages] img')).toBeNull();
});

it('two results are compared instance by instance', async () => {
  const side = { passed: 1, missing: 0, trials: 2, seconds: 3 };
  const rows = [{ instance: 'a', first: side, second: null, standing: 'unknown' as const }];
  const scenario_compare = vi.fn(() => ({
    first: '/a',
    second: '/b',
    rows,
    counts: { first: 3, second: 1, same: 0, unknown: 1 },
  }));
  await open(at('scenarios', 'compare', { folder: '/a', scenario: 'x', other_folder: '/b', other: 'y' }), {
    answers: { scenario_compare },
  });
  expect(scenario_compare).toHaveBeenCalledWith({
    folder: '/a',
    scenario: 'x',
    other_folder: '/b',
    other: 'y',
    scorer: 'markers',
  });
  expect(find('[data-standing="first"]')?.textContent).toBe('A ahead 3');
  expect(find('[data-row="a"]')?.textContent).toContain('missing');
});

it('conversations of every generation are read, and other files are none', () => {
  expect(conversations('[{"source":"coder","content":[{"text":"a"},{"text":"b"}]}]')?.[0]?.messages[0]).toMatchObject({
    who: 'coder',
    text: 'a\nb',
  });
  expect(conversations('{"coder":[{"role":"user","content":"x"}]}')?.[0]).toMatchObject({ with: 'coder' });
  expect(conversations('{"a":1}')).toBeNull();
  expect(conversations('{')).toBeNull();
});

it('the environment is looked for in the benchmark', () => {
  expect(benchmarkOf('/b/HumanEval/Tasks/x.jsonl')).toBe('/b/HumanEval');
  expect(benchmarkOf('C:\\b\\Tasks')).toBe('C:\\b');
  expect(benchmarkOf('x.jsonl')).toBeNull();
});

it('shows scenarios on a cluster by how their shards stand, and cancels them after a question', async () => {
  const shard = { node: null, reason: null, restarts: 0, trials: 2, finished: 0 };
  const at: ScenarioRemote = {
    results: '/workspace/results',
    engine: 'slurm',
    jobs: ['11', '42'],
    active: true,
    silent: null,
    may_work: false,
    trials: 8,
    finished: 3,
    shards: [
      { ...shard, index: 0, state: 'done', finished: 2 },
      { ...shard, index: 1, state: 'running', node: 'n2', finished: 1 },
      { ...shard, index: 2, state: 'failed', node: 'n1', reason: 'its worker ended' },
      { ...shard, index: 3, state: 'waiting' },
    ],
    folder: '/workspace/results/.cluster/1',
  };
  let ended = false;
  await open('#/scenarios', {
    answers: {
      scenario_remote: () => ({ ...at, active: !ended }),
      scenario_remote_cancel: () => {
        ended = true;
        return { ...at, active: false };
      },
    },
  });
  await vi.dynamicImportSettled();
  await settle();
  const panel = () => find('[data-remote]')?.textContent.replace(/\s+/g, ' ') ?? '';
  expect(panel()).toContain('Slurm, job 42 · Nodes: n2');
  expect(panel()).toContain('3 of 8 trials');
  expect(panel()).toContain('Shards: done 1, running 1, waiting 1, failed 1');
  const rows = [...document.querySelectorAll('[data-log]')].map((row) => row.getAttribute('data-log'));
  expect(rows).toEqual(['2', '1']);
  find('#scenario-cluster-cancel')?.click();
  await settle();
  expect(ended).toBe(false);
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(ended).toBe(true);
  expect(find('#scenario-cluster')?.textContent.trim()).toBe('No workers on the cluster');
  expect(find('#scenario-cluster-cancel')).toBeNull();
});
