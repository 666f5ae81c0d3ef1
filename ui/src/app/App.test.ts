import { QueryClient } from '@tanstack/svelte-query';
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, EndedRun, RunsNow, RunSummary, RunTask } from '../ipc/gen';
import { FakeJobs } from '../platform/fakeJobs';
import { createFake, type FakeOptions } from '../platform/fake';
import { MODELS, SETTINGS } from '../platform/fakeData';
import type { Platform } from '../platform/types';
import { violations } from '../shared/axeForTests';
import { route } from '../shared/route.svelte';
import { REPORT_ROW } from '../shared/reports/row.fixture';
import { settle } from '../shared/settleForTests';
import App from './App.svelte';

let app: ReturnType<typeof mount> | undefined;

beforeEach(() => {
  // jsdom has no layout; the table of runs draws the rows that fit into its height.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(900);
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '#/runs?new=1');
  vi.useFakeTimers();
});

afterEach(async () => {
  if (app) await unmount(app);
  app = undefined;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function open(platform: Platform, ms = 40): Promise<void> {
  app = mount(App, { target: document.body, props: { platform } });
  // With a frame, after which the list of runs is fetched.
  await settle(ms);
}

async function reload(platform: Platform, ms?: number): Promise<void> {
  if (app) await unmount(app);
  await open(platform, ms);
}

async function go(at: string): Promise<void> {
  location.hash = at;
  dispatchEvent(new HashChangeEvent('hashchange'));
  await settle(40);
}

const fake = (options?: FakeOptions) => createFake({ pace: 10, batch: 10, ...options });
const text = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? '';
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((found) => found.textContent?.trim());
const click = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const cells = (state: string) => document.querySelectorAll(`[data-task][data-state="${state}"]`).length;

function choose(selector: string, value: string): void {
  const element = document.querySelector<HTMLInputElement>(selector)!;
  element.value = value;
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  element.dispatchEvent(new FocusEvent('blur'));
  flushSync();
}

async function addModel(id: string): Promise<void> {
  click('#add-model');
  flushSync();
  choose('[id^="model-"]:last-of-type, #model-2', id);
  await settle(0);
}

const interrupted: RunSummary = {
  id: 'openai_m/20261120_090000',
  model: 'openai/m',
  date: '20261120_090000',
  pack: 'starter@1.0.0',
  protocol: 'leaderboard',
  levels: [{ level: 'L1', tasks: 6 }],
  complete: false,
  held_by: null,
  resume: 'koab run --resume openai_m/20261120_090000',
  usd: 0.12,
  tags: [],
  note: '',
  status: {
    outcome: null,
    reason: null,
    planned: 6,
    done: 2,
    failed: 0,
    max_cost: 1,
    max_total_tokens: null,
    here: false,
  },
  folder: '~/koab/logs/x',
};

describe('a run', () => {
  it('goes from one click to the score table, and tells its end', async () => {
    const notify = vi.fn(async () => undefined);
    const reports_library = () => [{ ...REPORT_ROW, id: 'baseline_golden/20261120_120000' }];
    await open(fake({ host: { notify }, answers: { reports_library } }));
    expect(text('#estimate-title')).toBe('Estimate');
    click('#run');
    await settle(60);
    expect(text('#results h2')).toBe('Running');
    expect(location.hash).toBe('#/runs/baseline_golden%2F20261120_120000');
    await settle(1_600);
    expect(cells('done') + cells('failed') + cells('unanswered')).toBe(41);
    expect(document.querySelectorAll('#report-table tbody')).toHaveLength(7);
    expect(text('[data-level="L1"] [data-metric="ToolAcc"] [data-mean]')).toBe('1.0000');
    expect(text('[data-level="L1"] [data-metric="SR"] [data-why]')).toBe('no judge was asked');
    expect(document.querySelector('#open-report')?.getAttribute('href')).toContain('#/reports/');
    expect(document.querySelector('[data-task="L1-001"]')?.getAttribute('href')).toBe(
      '#/runs/baseline_golden%2F20261120_120000/L1-001',
    );
    expect(notify.mock.calls).toEqual([
      ['Completed', 'baseline/golden\n41 of 41 attempts done\nNot judged, so there is no SR and no composite'],
    ]);
    await go('#/runs');
    expect(document.querySelectorAll('[data-run]')).toHaveLength(1);
  });

  it('marks tasks that are flagged as faulty on its grid', async () => {
    const task_flags = vi.fn(() => ({ 'L1-002': { note: '답이 둘', flagged_at: '2026-11-20T00:00:00Z' } }));
    await open(fake({ answers: { task_flags } }));
    click('#run');
    await settle(60);
    expect(task_flags).toHaveBeenCalledExactlyOnceWith({ pack: 'starter@1.0.0' });
    const cells = [...document.querySelectorAll('[data-task]')].filter((cell) =>
      cell.ariaLabel?.includes('Flagged: 답이 둘'),
    );
    expect(cells.map((cell) => cell.getAttribute('data-task'))).toEqual(['L1-002']);
    cells[0]?.dispatchEvent(new FocusEvent('focus'));
    flushSync();
    expect(text('[data-detail]')).toContain('Flagged: 답이 둘');
    expect(text('[data-legend]')).toContain('flagged as faulty');
  });

  it('by hand asks for nothing any more once its events say that it is over', async () => {
    const host = fake();
    const task = { task: 'L1-001', address: 'http://127.0.0.1:9/mcp/token', prompt: '질문' };
    // The queue is slower than the events: what it said while the run went is what the page knows to the end.
    let going: RunsNow | undefined;
    const call: Platform['call'] = async (command, args) => {
      if (command !== 'runs_now' && command !== 'run_queue') return host.call(command, args);
      const now = (await host.call(command, args)) as RunsNow;
      if (now.current) going ??= { ...now, current: { ...now.current, by_hand: task } };
      return (going ?? now) as never;
    };
    await open({ ...host, call });
    click('#run');
    await settle(60);
    expect(text('[data-hand-prompt]')).toBe('질문');
    await settle(1_600);
    expect(text('[data-phase="over"] h2')).toBe('Completed');
    expect(document.querySelector('[data-hand]')).toBeNull();
  });

  it('can be paused and go on, and a reload sees the pause', async () => {
    const host = fake();
    await open(host);
    click('#run');
    await settle(60);
    click('#pause');
    await settle(20);
    expect(document.querySelector('[data-phase]')?.getAttribute('data-paused')).toBe('true');
    const before = cells('done');
    await settle(1_000);
    expect(cells('done')).toBe(before);
    await reload(host);
    expect(text('#unpause')).toBe('Resume');
    click('#unpause');
    await settle(1_600);
    expect(text('#results h2')).toBe('Completed');
  });

  it('can be cancelled, and what was done is scored', async () => {
    await open(fake());
    click('#run');
    await settle(80);
    click('#cancel');
    await settle(1_000);
    expect(document.body.textContent).toContain('results so far are kept');
    expect(document.querySelector('#report-table')).not.toBeNull();
    expect(text('#resume')).toBe('Resume');
  });

  it('looks the same after a reload, during and after it', async () => {
    const host = fake();
    await open(host);
    click('#run');
    await settle(60);
    const before = cells('done');
    await reload(host, 0);
    expect(text('#results h2')).toBe('Running');
    expect(cells('done')).toBe(before);
    await settle(1_600);
    const table = text('#report-table');
    await reload(host);
    await settle(100);
    expect(text('#report-table')).toBe(table);
    expect(cells('waiting')).toBe(0);
  });

  it('that is scored is shown so after a reload, and then with its score', async () => {
    const scored: Job = {
      id: '1',
      kind: 'evaluation',
      about: [interrupted.id],
      done: 1,
      total: 4,
      since_ms: 0,
      took_ms: 1_500,
      news: 0,
      in_bytes: false,
      cancellable: true,
      cancelling: false,
      finished: false,
      error: null,
    };
    const jobs = new FakeJobs();
    jobs.tell(scored);
    const stopped = { code: 'model_unreachable', message: 'no judge gave an answer' } as const;
    location.hash = `#/runs/${encodeURIComponent(interrupted.id)}`;
    const run_cancel = vi.fn(() => (jobs.tell({ ...scored, finished: true, error: stopped }), null));
    await open(fake({ runs: [{ ...interrupted, status: undefined as never }], jobs, answers: { run_cancel } }), 700);
    expect(text('#report-title')).not.toBe('');
    expect(document.querySelector('[aria-labelledby="report-title"]')?.getAttribute('aria-busy')).toBe('true');
    click('#stop-scoring');
    await settle(1_200);
    expect(run_cancel).toHaveBeenCalledWith({ run: interrupted.id });
    expect(document.querySelector('[aria-labelledby="report-title"]')?.getAttribute('aria-busy')).toBe('false');
    expect(text('[data-errors]')).toContain('no judge gave an answer');
  });

  it('that does not begin says why and leaves the form usable', async () => {
    const error = { code: 'model_unreachable', message: 'nothing answers there' } as const;
    await open(fake({ failing: { run_start: error } }));
    click('#run');
    await settle(50);
    expect(text('[role="alert"]')).toContain('nothing answers there');
    expect(text('[role="alert"]')).toContain('check the model name and the key');
    await go('#/runs?new=1');
    expect(text('#run')).toBe('Run L1–L7');
    expect(document.querySelector('#run')?.hasAttribute('disabled')).toBe(false);
  });

  it('that makes no sense is refused at once', async () => {
    const error = { code: 'bad_request', message: 'no level is chosen' } as const;
    await open(fake({ failing: { run_queue: error } }));
    click('#run');
    await settle(20);
    expect(document.body.textContent).toContain('no level is chosen');
  });
});

describe('several runs', () => {
  it('queue, can be put in another order and taken out, survive a reload and follow each other', async () => {
    // Slow enough that the first still goes when all are queued.
    const host = fake({ pace: 40 });
    await open(host);
    await addModel('baseline/silent');
    click('#run');
    await settle(60);
    await go('#/runs');
    expect(text('[data-current] b')).toBe('baseline/golden');
    expect(texts('[data-queued] b')).toEqual(['baseline/silent']);
    await go('#/runs?new=1');
    expect(text('#run')).toBe('Queue L1–L7, 2 models');
    click('#run');
    await settle(20);
    expect(texts('[data-queued] b')).toEqual(['baseline/silent', 'baseline/golden', 'baseline/silent']);
    document.querySelectorAll<HTMLElement>('[data-queued]')[1]?.querySelector<HTMLElement>('button')?.click();
    await settle(20);
    expect(texts('[data-queued] b')).toEqual(['baseline/golden', 'baseline/silent', 'baseline/silent']);
    document
      .querySelectorAll<HTMLElement>('[data-queued]')[2]
      ?.querySelector<HTMLElement>('button:last-child')
      ?.click();
    await settle(20);
    await reload(host);
    expect(texts('[data-queued] b')).toEqual(['baseline/golden', 'baseline/silent']);
    await settle(16_000);
    expect(texts('[data-queued] b')).toEqual([]);
    expect(document.querySelectorAll('[data-run]')).toHaveLength(3);
  });
});

describe('before the start', () => {
  it('it is told what the run will take and what is missing', async () => {
    await open(fake());
    await settle(400);
    expect(text('[data-missing]')).toContain('L3-001');
    expect(text('[data-estimate]')).toContain('Baselines make no API calls');
    choose('#model', 'ollama/');
    const name = document.querySelector<HTMLInputElement>('form input[type="text"]')!;
    name.value = 'mine';
    name.dispatchEvent(new Event('input', { bubbles: true }));
    await settle(400);
    const facts = texts('[data-estimate] dd');
    expect(facts.slice(0, 3)).toEqual(['41', '410', '41,000']);
    expect(facts[3]).toContain('—');
    expect(text('[data-estimate]')).toContain('no price for ollama/mine');
  });

  it('keys that are missing are named until they are set, also those of judges', async () => {
    let present = false;
    const asking = vi.spyOn(QueryClient.prototype, 'defaultQueryOptions');
    const needs = () => [{ any_of: ['OPENAI_API_KEY'], present }];
    const models_list = () => MODELS.map((model) => (model.id === 'openai/' ? { ...model, needs: needs() } : model));
    await open(fake({ answers: { models_list } }));
    expect(document.querySelector('[data-lacks]')).toBeNull();
    const judges = document.querySelector<HTMLInputElement>('#judges')!;
    judges.value = 'OpenAI/gpt-x ollama/y';
    judges.dispatchEvent(new Event('input', { bubbles: true }));
    judges.dispatchEvent(new FocusEvent('blur'));
    flushSync();
    expect(texts('[data-lacks]')).toEqual(['OpenAI/gpt-x requires OPENAI_API_KEY.']);
    present = true;
    // As the screen of keys does when one was set.
    void (asking.mock.contexts.at(-1) as QueryClient).invalidateQueries();
    await settle(20);
    expect(document.querySelector('[data-lacks]')).toBeNull();
  });

  it('a collector named in the settings is named beside the button, and what it got beside the run', async () => {
    const settings = { ...SETTINGS.settings, otlp_endpoint: 'http://127.0.0.1:4318', otlp_content: true };
    const spans = { endpoint: 'http://127.0.0.1:4318/v1/traces', sent: 1200, lost: 3, reason: 'HTTP 503' };
    const ended: EndedRun = {
      run: 'r',
      id: 'a/20261120_090000',
      model: 'a',
      outcome: 'completed',
      error: null,
      reports: [],
      spans,
    };
    const answers: FakeOptions['answers'] = {
      settings_get: () => ({ ...SETTINGS, settings }),
      runs_now: () => ({ current: null, queue: [], ended: [ended] }),
    };
    const host = fake({ answers });
    await open(host);
    expect(text('form [data-spans]')).toContain(
      'Traces of this run are sent to http://127.0.0.1:4318, with all texts.',
    );
    location.hash = '#/runs/a%2F20261120_090000';
    await reload(host);
    await settle(60);
    expect(text('#results [data-spans]')).toMatch(
      /1,200 spans sent to http:\/\/127.0.0.1:4318\/v1\/traces.\s+3 not delivered: HTTP 503/,
    );
  });

  it('the default panel can be taken, with its price', async () => {
    const panel = [
      { id: 'openai/judge', key: 'OPENAI_API_KEY', present: true },
      { id: 'anthropic/judge', key: 'ANTHROPIC_API_KEY', present: false },
    ];
    await open(fake({ answers: { judges_default: () => panel } }));
    click('#default-panel');
    await settle(400);
    expect([...document.querySelectorAll('[data-chip]')].map((chip) => chip.getAttribute('data-chip'))).toEqual([
      'openai/judge',
      'anthropic/judge',
    ]);
    expect(texts('[data-judge]')).toEqual([
      'Judge openai/judge: 82 calls, $0.41, in addition.',
      'Judge anthropic/judge: 82 calls, $0.41, in addition.',
    ]);
  });

  it('single tasks can be searched and picked', async () => {
    await open(fake());
    document.querySelector<HTMLInputElement>('input[name="scope"][value="tasks"]')?.click();
    await settle(20);
    const search = document.querySelector<HTMLInputElement>('[data-task-picker] input[type="search"]')!;
    search.value = 'l2 002';
    search.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    expect(texts('[data-pick] + code')).toEqual(['L2-002']);
    click('[data-pick="L2-002"]');
    await settle(400);
    expect(text('#run')).toBe('Run 1 task');
    expect(texts('[data-estimate] dd')[0]).toBe('1');
  });
});

describe('earlier runs', () => {
  beforeEach(() => history.replaceState(null, '', '#/runs'));

  it('open with their report', async () => {
    const host = fake();
    history.replaceState(null, '', '#/runs?new=1');
    await open(host);
    click('#run');
    await settle(1_600);
    await go('#/runs');
    await reload(host);
    const link = document.querySelector<HTMLAnchorElement>('[data-run]')!;
    location.hash = link.getAttribute('href') ?? '';
    dispatchEvent(new HashChangeEvent('hashchange'));
    await settle(20);
    expect(document.querySelectorAll('#report-table tbody')).toHaveLength(7);
    expect([cells('done'), cells('failed'), cells('unanswered')]).toEqual([39, 1, 1]);
  });

  it('that were made elsewhere are drawn from their logs', async () => {
    const { status: _, ...published } = { ...interrupted, id: 'a_b/20251219_113310', complete: true, resume: null };
    const task = (id: string, status: RunTask['status'], error: string | null = null): RunTask => ({
      ...{ id, level: 'L2', instruction: null, status, success: null, stop: null, error },
      ...{ calls: null, steps: null, took_ms: null, total_tokens: null, repetitions: 1 },
    });
    const run_tasks = () => [
      task('L2-001', 'answered'),
      task('L2-002', 'unreadable', 'is not a list'),
      task('L2-003', 'failed'),
    ];
    history.replaceState(null, '', '#/runs/a_b%2F20251219_113310');
    await open(fake({ runs: [published], answers: { run_tasks } }));
    await settle(50);
    expect([cells('done'), cells('unscored'), cells('failed')]).toEqual([1, 1, 1]);
    const unreadable = document.querySelector('[data-task="L2-002"]');
    expect(unreadable?.getAttribute('href')).toBe('#/runs/a_b%2F20251219_113310/L2-002');
    expect(unreadable?.ariaLabel).toBe('L2-002: unreadable, unscored, — model turns');
    unreadable?.dispatchEvent(new FocusEvent('focus'));
    flushSync();
    expect(text('[data-detail]')).toMatch(/L2-002[^]*— tool calls, — tokens · is not a list/);
    expect(text('[data-level="L2"] [data-count]')).toContain('2/3');
  });

  it('that broke off are offered at the start, once, and go on with their own settings', async () => {
    const host = fake({ runs: [interrupted] });
    await open(host);
    expect(text('[data-banner]')).toContain('The run of openai/m was interrupted.');
    expect(text('[data-banner]')).toContain('2 of 6 attempts');
    click('[data-resume-banner]');
    await settle(20);
    document.querySelector<HTMLFormElement>('#resume-form')?.requestSubmit();
    await settle(60);
    expect(location.hash).toBe('#/runs/openai_m%2F20261120_090000');
    expect(text('#results h2')).toBe('Completed');
  });

  it('that broke off can be resumed as soon as it is known who judges', async () => {
    const host = fake({ runs: [interrupted] });
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const call: Platform['call'] = async (command, ...rest) => {
      if (command === 'run_judges') await asked;
      return host.call(command, ...rest);
    };
    await open({ ...host, call });
    click('[data-resume-banner]');
    await settle(20);
    const button = document.querySelector<HTMLButtonElement>('#resume-go')!;
    expect(button.disabled).toBe(true);
    answer();
    await settle(20);
    expect(button.disabled).toBe(false);
    button.click();
    await settle(60);
    expect(text('#results h2')).toBe('Completed');
  });

  it('that broke off are not offered again once that was refused', async () => {
    const host = fake({ runs: [interrupted] });
    const shown = () => texts('[data-run], [data-banner] b');
    await open(host);
    expect(shown()).toHaveLength(2);
    document.querySelector<HTMLElement>('[data-banner] button:last-child')?.click();
    flushSync();
    expect(shown()).toHaveLength(1);
    await reload(host);
    expect(document.querySelectorAll('[data-run]')).toHaveLength(1);
    expect(document.querySelector('[data-banner]')).toBeNull();
  });

  it('that stopped for their budget want a higher one', async () => {
    const spent = { ...interrupted, status: { ...interrupted.status!, outcome: 'budget_spent' as const } };
    await open(fake({ runs: [spent] }));
    expect(text('[data-column="state"] span')).toBe('budget spent');
    click('[data-resume]');
    await settle(20);
    const submit = async () => {
      document.querySelector<HTMLFormElement>('#resume-form')?.requestSubmit();
      await settle(60);
    };
    await submit();
    expect(text('#resume-form [role="alert"]')).toContain('enter a higher one');
    const cap = document.querySelector<HTMLInputElement>('#resume-form input')!;
    cap.value = '2';
    cap.dispatchEvent(new Event('input', { bubbles: true }));
    await submit();
    expect(location.hash).toContain('#/runs/openai_m');
  });

  it('are deleted after a question, and come back', async () => {
    await open(fake({ runs: [interrupted] }));
    click('[data-delete]');
    await settle(20);
    click('[data-answer="confirm"]');
    await settle(20);
    expect(document.querySelector('[data-run]')).toBeNull();
    click('#undo-delete');
    await settle(20);
    expect(document.querySelectorAll('[data-run]')).toHaveLength(1);
  });

  it('that somebody else holds say who', async () => {
    const held = { ...interrupted, held_by: 4711, resume: null };
    await open(fake({ runs: [held] }));
    expect(text('[data-column="state"]')).toContain('Running in process 4711.');
    expect(document.querySelector('[data-resume]')).toBeNull();
  });

  it('carry tags and a note, by which they are found', async () => {
    const tagged: RunSummary = { ...interrupted, id: 'openai_m/2', tags: ['기준'], note: '다시 볼 것' };
    const run_remark = vi.fn(() => tagged);
    await open(fake({ runs: [interrupted, tagged], answers: { run_remark } }));
    expect(texts('[data-run]')).toHaveLength(2);
    route.put({ tag: '기준' });
    await settle(0);
    expect([...document.querySelectorAll<HTMLElement>('[data-run]')].map(({ dataset }) => dataset['run'])).toEqual([
      'openai_m/2',
    ]);
    expect(text('#results')).toContain('기준 · 다시 볼 것');
    click('[data-remark="openai_m/2"]');
    await settle(0);
    const input = document.querySelector<HTMLInputElement>('#remark input')!;
    expect(input.value).toBe('기준');
    input.value = '기준, final';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector<HTMLFormElement>('#remark')?.requestSubmit();
    await settle(20);
    expect(run_remark).toHaveBeenCalledExactlyOnceWith({
      run: 'openai_m/2',
      tags: ['기준', 'final'],
      note: '다시 볼 것',
    });
    expect(document.querySelector('#remark')).toBeNull();
  });

  it('that are gone say so', async () => {
    history.replaceState(null, '', '#/runs/nobody%2F1');
    await open(fake());
    expect(text('#results h2')).toBe('Run not found');
  });

  it('that were made beside the list are looked for before that is said', async () => {
    let made: RunSummary[] = [];
    await open(fake({ answers: { runs_list: () => made } }));
    made = [interrupted];
    await go(`#/runs/${encodeURIComponent(interrupted.id)}`);
    expect(text('#results')).toContain('openai/m');
  });

  it('of an adaptive run or a sweep come with its news, whichever screen is shown', async () => {
    const jobs = new FakeJobs();
    const runs_list = vi.fn((): RunSummary[] => []);
    await open(fake({ jobs, answers: { runs_list } }));
    await go('#/packs');
    const kinds = ['adaptive', 'sweep'] as const;
    const job: Omit<Job, 'kind'> = {
      id: '1',
      about: ['7', 'openai/m'],
      done: 0,
      total: 20,
      since_ms: 0,
      took_ms: 0,
      news: 1,
      in_bytes: false,
      cancellable: true,
      cancelling: false,
      finished: false,
      error: null,
    };
    for (const kind of kinds) {
      for (const [more, reads] of [
        [{}, 1],
        [{ done: 1 }, 0],
        [{ done: 2, news: 2 }, 1],
        [{ done: 2, news: 2, finished: true }, 1],
      ] as const) {
        const before = runs_list.mock.calls.length;
        jobs.tell({ ...job, ...more, kind });
        await settle(40);
        expect([kind, more, runs_list.mock.calls.length - before]).toEqual([kind, more, reads]);
      }
    }
  });
});

it('a workspace that cannot be opened is one state for every screen, until a retry opens it', async () => {
  const error = { code: 'no_workspace', message: 'koab.sqlite has format 99; update' } as const;
  const failing: FakeOptions['failing'] = { settings_get: error, packs_list: error, runs_list: error };
  const workspace_choose = vi.fn(() => '/data/other');
  const host: Partial<Platform> = { host: 'window', pick: async () => ['/data/other'] };
  const platform = fake({ failing, answers: { workspace_choose }, host });
  for (const at of ['#/runs', '#/reports', '#/settings']) {
    history.replaceState(null, '', at);
    await reload(platform);
    expect(text('[data-closed]')).toContain('koab.sqlite has format 99; update');
    expect(document.querySelectorAll('[role="alert"], nav')).toHaveLength(1);
  }
  click('#other-workspace');
  await settle(0);
  expect(workspace_choose).toHaveBeenCalledExactlyOnceWith({ folder: '/data/other' });
  expect(text('[data-closed]')).toContain('The next start uses /data/other.');
  for (const command of Object.keys(failing)) delete failing[command];
  click('#reopen');
  await settle(20);
  expect(document.querySelector('[data-closed]')).toBeNull();
  expect(document.querySelector('nav')).not.toBeNull();
});

it('what else keeps the app from its start is told with its own next step', async () => {
  const error = { code: 'storage', message: 'the disk is full' } as const;
  await open(fake({ failing: { app_info: error } }));
  expect(text('[role="alert"]')).toContain('the disk is full');
  expect(text('[role="alert"]')).toContain('Free disk space');
});

it('an empty workspace says how to get a pack', async () => {
  const host = fake();
  await open({ ...host, call: async (command, args) => (command === 'packs_list' ? [] : host.call(command, args)) });
  expect(document.querySelector('form a[href="#/packs"]')).not.toBeNull();
  expect(document.querySelector('#run')?.hasAttribute('disabled')).toBe(true);
});

it('the language can be switched and stays switched', async () => {
  const host = fake();
  await open(host);
  await go('#/settings');
  choose('#settings-language', 'ko');
  await settle(20);
  expect(text('[data-room="runs"]')).toBe('실행');
  // The workspace keeps it, not the page.
  localStorage.clear();
  await reload(host);
  expect(text('[data-room="runs"]')).toBe('실행');
  expect(document.documentElement.lang).toBe('ko');
});

it.each([
  ['ko-KR', 'ko'],
  ['en-GB', 'en'],
  ['fr', 'en'],
])(
  'until a language was chosen, a browser in %s has the page in %s, whatever its server runs under',
  async (own, shown) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(own);
    await open(fake());
    await settle(20);
    expect(document.documentElement.lang).toBe(shown);
  },
);

it('the guide is in the menu, and axe finds nothing on either', async () => {
  await open(fake());
  click('#menu');
  await settle();
  expect(document.querySelector('[data-action="guide"]')).not.toBeNull();
  expect(await violations()).toEqual([]);
  document
    .querySelector<HTMLElement>('[data-action="guide"]')
    ?.dispatchEvent(new MouseEvent('pointerup', { bubbles: true }));
  await settle();
  expect(text('.page h1')).toBe('Guide');
  expect(await violations()).toEqual([]);
  expect(document.querySelector('[data-room][aria-current]')).toBeNull();
  click('[data-page="design/judges"]');
  await settle();
  expect(text('.page h1')).toMatch(/judge/i);
});

describe('closing the window', () => {
  it('asks during a run and only then, and stops everything when it is meant', async () => {
    let mayClose = () => true;
    const close = vi.fn(async () => undefined);
    const host: Platform = {
      ...fake(),
      onCloseRequested: async (ask) => {
        mayClose = ask;
        return () => undefined;
      },
      close,
    };
    await open(host);
    expect(mayClose()).toBe(true);
    click('#run');
    await settle(30);
    expect(mayClose()).toBe(false);
    await settle(20);
    expect(document.querySelector('[role="alertdialog"]')).not.toBeNull();
    click('[data-answer="confirm"]');
    await settle(500);
    expect(close).toHaveBeenCalled();
    expect(mayClose()).toBe(true);
  });
});

describe('the first start', () => {
  const newcomer = (): FakeOptions['answers'] => {
    let settings = { ...SETTINGS, settings: { ...SETTINGS.settings, welcomed: false } };
    return {
      settings_get: () => settings,
      settings_set: (change) => (settings = { ...settings, settings: change.settings }),
    };
  };

  it('asks for a model, then for a judge, and ends without a model in a smoke test', async () => {
    const host = fake({ answers: newcomer() });
    await open(host);
    await settle(50);
    expect(text('#start-step')).toBe('Model');
    expect(document.querySelectorAll('[data-setting] [name="language"]')).toHaveLength(2);
    expect(text('#start-next')).toBe('Later');
    click('#start-next');
    await settle(50);
    await reload(host);
    await settle(50);
    expect(text('#start-run')).toBe('Run a smoke test');
    click('#start-run');
    await settle(5_000);
    expect([cells('done'), cells('failed'), cells('unanswered'), cells('waiting')]).toEqual([39, 1, 1, 0]);
  });

  it('can be left, and does not come again', async () => {
    const host = fake({ answers: newcomer() });
    const shown = () => ['#start-step', '#new-run'].filter((selector) => document.querySelector(selector));
    await open(host);
    await settle(50);
    expect(shown()).toEqual(['#start-step']);
    click('#start-skip');
    await settle(50);
    expect(shown()).toEqual(['#new-run']);
    await reload(host);
    await settle(50);
    expect(shown()).toEqual(['#new-run']);
  });
});
