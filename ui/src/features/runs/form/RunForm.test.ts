import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelSummary, RunRequest, ServiceState } from '../../../ipc/gen';
import { wordsIn } from '../../../locales';
import { MODELS, PACKS } from '../../../platform/fakeData';
import { locale } from '../../../shared/locale.svelte';
import { settle } from '../../../shared/settleForTests';
import { USUAL, type LocalDraft } from '../../../shared/localModel/settings';
import { keepDraft, modelsFor, newDraft, openDraft, problemsOf, requestsOf, rowsFor, type Draft } from './draft';
import { runLabel } from './label';
import { lacksOf } from './lacks';
import { spanOf } from '../state/levels';
import { createClient } from '../../../ipc/client';
import { createFake } from '../../../platform/fake';
import HostForTests from '../../../shared/HostForTests.svelte';
import RunForm from './RunForm.svelte';

describe('levels as text', () => {
  it.each([
    [['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'], 'L1–L7'],
    [['L3', 'L1', 'L2', 'L5'], 'L1–L3, L5'],
    [['L1', 'L2'], 'L1–L2'],
    [['L1', 'L3', 'L7'], 'L1, L3, L7'],
    [['L4'], 'L4'],
    [[], ''],
  ] as const)('%j is %s', (levels, text) => expect(spanOf(levels)).toBe(text));
});

describe('the run button', () => {
  const all = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'] as const;
  it.each([
    ['en', all, 1, false, 'Run L1–L7'],
    ['ko', all, 1, false, 'L1–L7 실행'],
    ['en', ['L2', 'L5'], 1, false, 'Run L2, L5'],
    ['ko', ['L2', 'L5'], 1, false, 'L2, L5 실행'],
    ['en', ['L2', 'L5'], 3, false, 'Run L2, L5, 3 models'],
    ['en', [], 1, false, 'Choose a level to run'],
    ['ko', [], 1, false, '실행할 레벨을 선택하세요'],
    ['en', all, 1, true, 'Queue L1–L7'],
  ] as const)('in %s over %j with %i models (busy: %s) says %s', (language, levels, models, busy, text) => {
    const row = { model: 'm', name: '', baseUrl: '', local: { ...USUAL } };
    const draft = {
      scope: 'levels',
      levels: [...levels],
      tasks: [],
      models: Array.from({ length: models }, () => row),
    } as const;
    expect(
      runLabel(wordsIn(language).runs, { ...draft, levels: [...levels], tasks: [], models: [...draft.models] }, busy),
    ).toBe(text);
  });

  it('offers no golden baseline where a task is one request', () => {
    const pack = { ...PACKS[0]!, kind: 'bfcl' };
    const rows = newDraft(PACKS, MODELS).models;
    expect(rows.map(({ model }) => model)).toEqual(['baseline/golden']);
    expect(modelsFor(pack, MODELS).map(({ id }) => id)).not.toContain('baseline/golden');
    expect(rowsFor(pack, rows, MODELS).map(({ model }) => model)).toEqual(['baseline/silent']);
    expect(rowsFor(PACKS[0], rows, MODELS)).toEqual(rows);
    expect(rowsFor(pack, [], [])).toEqual([]);
  });

  it('names another benchmark, of which all groups are run, and counts more groups than a line holds', () => {
    const groups = ['A.x', 'A.y', 'B.x', 'B.y'];
    const levels = groups.map((level) => ({ level, tasks: 1 }));
    const pack = { kind: 'other', name: 'other', title: 'Other Bench', levels };
    const label = (chosen: string[]) =>
      runLabel(wordsIn('en').runs, { scope: 'levels', levels: chosen, tasks: [], models: [] }, false, pack);
    expect(label(groups)).toBe('Run Other Bench');
    expect(label(['A.x', 'B.y'])).toBe('Run A.x, B.y');
    expect(spanOf(groups)).toBe('A.x … B.y (4)');
  });

  it('counts single tasks', () => {
    const draft = { scope: 'tasks' as const, levels: [], tasks: ['a', 'b'], models: [] };
    expect(runLabel(wordsIn('en').runs, draft, false)).toBe('Run 2 tasks');
    expect(runLabel(wordsIn('ko').runs, { ...draft, tasks: [] }, false)).toBe('실행할 과제를 선택하세요');
  });
});

const inside = (id: string, converts: boolean): ModelSummary => ({
  id,
  kind: 'local',
  default_base_url: null,
  needs_base_url: false,
  needs: [],
  local: { converts, context: 32_768 },
});
const LOCAL = [...MODELS, inside('local/Qwen/Q', true), inside('local/q.gguf', false)];

describe('a draft', () => {
  const server = MODELS.find(({ id }) => id === 'openai_compat/')!;
  const fresh = () => newDraft(PACKS, MODELS);
  const asking = (row: Partial<Draft['models'][number]>, change: Partial<Draft> = {}): Draft => ({
    ...fresh(),
    ...change,
    models: [{ model: server.id, name: '', baseUrl: '', local: { ...USUAL }, ...row }],
  });
  const ids = () => {
    let last = 0;
    return () => `id-${++last}`;
  };

  it('begins with the active pack, all its levels and the golden baseline, and has no problem', () => {
    const draft = fresh();
    expect([draft.pack, draft.models[0]?.model, draft.levels.length]).toEqual(['starter', 'baseline/golden', 7]);
    expect(problemsOf(draft, MODELS)).toEqual([]);
  });

  it('of a server needs a name, and an address that is one', () => {
    expect(problemsOf(asking({ baseUrl: 'local host' }), MODELS)).toEqual(['modelName', 'baseUrl']);
    const typed = asking(
      { name: 'm', baseUrl: ' localhost:8000' },
      { judges: 'openai_compat/j', judgeBaseUrl: 'gpu:1' },
    );
    expect(problemsOf(typed, MODELS)).toEqual([]);
    expect(requestsOf(typed, MODELS, ids())).toMatchObject([
      { base_url: 'http://localhost:8000', score: { judge_base_url: 'http://gpu:1' } },
    ]);
  });

  it('of a service with an address of its own needs none', () => {
    const draft = asking({ model: 'ollama/', name: 'm', baseUrl: ' ' });
    expect(problemsOf(draft, MODELS)).toEqual([]);
    expect(requestsOf(draft, MODELS, ids())[0]?.base_url).toBeNull();
    expect(problemsOf(asking({ name: 'm', baseUrl: ' ' }), MODELS)).toEqual(['baseUrl']);
    const judged: Draft = { ...fresh(), judges: 'openai_compat/j' };
    expect(problemsOf(judged, MODELS)).toEqual(['judgeBaseUrl']);
    expect(problemsOf({ ...judged, judgeBaseUrl: 'http://x' }, MODELS)).toEqual([]);
  });

  it('of a service says which keys it lacks, unless another server is asked', () => {
    const draft = asking(
      { model: 'openai/', name: 'm', baseUrl: 'https://api.openai.com/v1/' },
      { judges: 'OpenAI/m' },
    );
    const lack = { id: 'openai/m', keys: [['OPENAI_API_KEY']] };
    expect(lacksOf(draft, MODELS)).toEqual([lack, { ...lack, id: 'OpenAI/m' }]);
    expect(lacksOf({ ...draft, judges: 'openai/m' }, MODELS)).toEqual([lack]);
    expect(lacksOf({ ...draft, score: false }, MODELS)).toEqual([lack]);
    expect(lacksOf(asking({ model: 'openai/', name: 'm', baseUrl: 'http://127.0.0.1:1' }), MODELS)).toEqual([]);
  });

  it('becomes one request a model, with levels in order, and no address or cap for a baseline', () => {
    const draft: Draft = {
      ...fresh(),
      levels: ['L5', 'L1'],
      maxCost: 2,
      models: [
        { model: 'baseline/golden', name: '', baseUrl: 'http://x', local: { ...USUAL } },
        { model: server.id, name: ' qwen3:8b ', baseUrl: 'http://x', local: { ...USUAL } },
      ],
    };
    const [golden, named] = requestsOf(draft, MODELS, ids());
    expect(golden).toMatchObject({ run: 'id-1', levels: ['L1', 'L5'], base_url: null });
    expect(golden).not.toHaveProperty('max_cost');
    expect(named).toMatchObject({ run: 'id-2', model: 'openai_compat/qwen3:8b', base_url: 'http://x', max_cost: 2 });
  });

  it('of a model inside the application says its precision and context, of a GGUF file only the context', () => {
    const of = (model: string, local: Partial<LocalDraft>, change: Partial<Draft> = {}) =>
      requestsOf(asking({ model, local: { ...USUAL, ...local } }, change), LOCAL, ids())[0]?.local;
    expect(of('local/Qwen/Q', { precision: '4bit' })).toEqual({
      quantization: '4bit',
      dtype: 'auto',
      device: 'auto',
      context: null,
      tool_form: null,
      constrained: false,
    });
    expect(of('local/Qwen/Q', { precision: 'float16', context: 4096 })).toMatchObject({
      quantization: null,
      dtype: 'float16',
      context: 4096,
    });
    expect(of('local/q.gguf', { precision: '4bit' })).toMatchObject({ quantization: null, dtype: 'auto' });
    const rare = { device: 'cuda', toolForm: 'hermes', constrained: true } as const;
    const said = { device: 'cuda', tool_form: 'hermes', constrained: true };
    expect(of('local/q.gguf', rare, { protocol: 'corrected' })).toMatchObject(said);
    expect(of('local/q.gguf', rare)).toMatchObject({ ...said, constrained: false });
    const small = asking({ model: 'local/Qwen/Q', local: { ...USUAL, context: 10 } });
    expect(problemsOf(small, LOCAL)).toEqual(['context']);
    expect(requestsOf(fresh(), MODELS, ids())[0]).not.toHaveProperty('local');
  });

  it('of a judge inside the application says its precision and context as well', () => {
    const of = (judges: string, local: Partial<LocalDraft> = { precision: '8bit', context: 8192 }) =>
      requestsOf({ ...fresh(), judges, judgeLocal: { ...USUAL, ...local } }, LOCAL, ids())[0]?.score?.judge_local;
    expect(of('local/Qwen/Q')).toMatchObject({ quantization: '8bit', dtype: 'auto', context: 8192 });
    expect(of('local/q.gguf')).toMatchObject({ quantization: null, context: 8192 });
    expect(of('openai/a')).toBeUndefined();
    const small = { judges: 'local/Qwen/Q', judgeLocal: { ...USUAL, context: 1 } };
    expect(problemsOf({ ...fresh(), ...small }, LOCAL)).toEqual(['judgeContext']);
    expect(problemsOf({ ...fresh(), ...small, judges: '' }, LOCAL)).toEqual([]);
  });

  it('leaves to the engine what is left empty, and hands on the rest', () => {
    const plain = requestsOf(fresh(), MODELS, ids())[0]!;
    expect(Object.keys(plain)).not.toEqual(
      expect.arrayContaining(['max_steps', 'timeout_s', 'seed', 'effort', 'tasks']),
    );
    expect(plain.score).toEqual({ scorers: ['leaderboard'], judges: [], judge_base_url: null });
    const full = asking(
      { name: 'm' },
      {
        scope: 'tasks',
        tasks: ['L1-001'],
        max_steps: 4,
        timeout_s: 90,
        seed: 7,
        effort: 'low',
        score: true,
        bothScorers: true,
        judges: 'openai/a,\n anthropic/b openai/a',
      },
    );
    expect(requestsOf(full, MODELS, ids())[0]).toMatchObject({
      levels: [],
      tasks: ['L1-001'],
      max_steps: 4,
      timeout_s: 90,
      seed: 7,
      effort: 'low',
      score: { scorers: ['leaderboard', 'corrected'], judges: ['openai/a', 'anthropic/b'] },
    });
    expect(requestsOf({ ...full, score: false }, MODELS, ids())[0]).not.toHaveProperty('score');
  });

  it('reads cached responses only, unless it says otherwise', () => {
    const of = (change: Partial<Draft>) => requestsOf({ ...fresh(), ...change }, MODELS, ids())[0];
    for (const name of ['cache_mode', 'with_overlay', 'without_keys']) expect(of({})).not.toHaveProperty(name);
    expect(of({ cache: 'overlay' })).toMatchObject({ with_overlay: true });
    expect(of({ cache: 'write', withoutKeys: true })).toMatchObject({ cache_mode: 'write', without_keys: true });
  });

  it('is the same after a reload, unless its pack or a model is gone', () => {
    const draft = asking({ name: 'm' }, { repetitions: 3, maxCost: 1.5 });
    keepDraft(draft);
    expect(openDraft(PACKS, MODELS)).toEqual(draft);
    expect(openDraft(PACKS, [MODELS[0]!]).models[0]?.model).toBe('baseline/golden');
    expect(openDraft(PACKS.slice(1), MODELS).pack).toBe('half');
    const { judgeLocal: _, ...older } = draft;
    keepDraft({ ...older, models: [{ model: 'baseline/golden', name: '', baseUrl: '' }] } as unknown as Draft);
    expect(openDraft(PACKS, MODELS)).toMatchObject({ judgeLocal: USUAL, models: [{ local: USUAL }] });
    sessionStorage.clear();
  });

  it.each<[Partial<Draft>, string]>([
    [{ repetitions: 0 }, 'repetitions'],
    [{ repetitions: 1.5 }, 'repetitions'],
    [{ repetitions: null }, 'repetitions'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ levels: [] }, 'levels'],
    [{ scope: 'tasks' }, 'tasks'],
    [{ max_steps: 0 }, 'max_steps'],
    [{ timeout_s: 0 }, 'timeout_s'],
    [{ temperature: 3 }, 'temperature'],
    [{ maxCost: 0 }, 'budget'],
    [{ maxTotalTokens: 1.5 }, 'budget'],
    [{ judges: 'gpt-4o' }, 'judges'],
    [{ judges: 'openai/a', judgeBaseUrl: 'ftp://here' }, 'judgeBaseUrl'],
  ])('with %j has the problem %s', (change, problem) =>
    expect(problemsOf({ ...fresh(), ...change }, MODELS)).toEqual([problem]),
  );

  it('with the same model twice says so', () => {
    const row = { model: 'baseline/golden', name: '', baseUrl: '', local: { ...USUAL } };
    expect(problemsOf({ ...fresh(), models: [row, row] }, MODELS)).toEqual(['sameModel']);
  });
});

describe('the form', () => {
  let form: ReturnType<typeof mount>;
  const onStart = vi.fn<(requests: RunRequest[]) => void>();
  const asked = vi.fn<(request: RunRequest) => void>();
  const SERVICES: ServiceState[] = [
    { name: 'bithumb', title: 'Bithumb', tools: ['CryptoPrice_bithumb'], keys: [], ready: true },
    {
      name: 'tmap',
      title: 'TMAP',
      tools: ['POISearch_tmap'],
      keys: [{ name: 'TMAP_APP_KEY', present: false }],
      ready: false,
    },
  ];

  beforeEach(() => {
    asked.mockClear();
    sessionStorage.clear();
    onStart.mockClear();
    locale.choose('en');
    vi.useFakeTimers();
    const props = { packs: PACKS, models: LOCAL, busy: false, onStart, onPack: () => undefined };
    const platform = createFake({ answers: { run_services: ({ request }) => (asked(request), SERVICES) } });
    const host = { platform, client: createClient(platform) };
    form = mount(HostForTests, { target: document.body, props: { host, shown: RunForm, props } });
    flushSync();
  });
  afterEach(async () => {
    await unmount(form);
    vi.useRealTimers();
  });

  const button = () => document.querySelector<HTMLButtonElement>('#run')!;
  const box = (level: string) => document.querySelector<HTMLInputElement>(`input[value="${level}"]`)!;

  it('follows the chosen levels and the language', () => {
    expect(button().textContent?.trim()).toBe('Run L1–L7');
    box('L4').click();
    flushSync();
    expect(button().textContent?.trim()).toBe('Run L1–L3, L5–L7');
    locale.choose('ko');
    flushSync();
    expect(button().textContent?.trim()).toBe('L1–L3, L5–L7 실행');
  });

  it('marks sample packs', () => {
    expect(document.querySelector('#pack option')?.textContent).toContain('sample data');
  });

  it('starts with a fresh id and what was chosen', () => {
    button().click();
    button().click();
    const [first, second] = onStart.mock.calls.map(([requests]) => requests[0]);
    expect(first).toMatchObject({ pack: 'starter', model: 'baseline/golden', repetitions: 1, concurrency: null });
    expect(first?.run).not.toBe(second?.run);
  });

  it('says before a run in write mode which services may be asked and which keys are missing', async () => {
    expect(document.querySelector('[data-warns="cache"]')).toBeNull();
    document.querySelector<HTMLInputElement>('input[value="write"]')!.click();
    flushSync();
    await settle(300);
    expect(document.querySelectorAll('[data-service]')).toHaveLength(2);
    expect(asked.mock.calls[0]?.[0]).toMatchObject({
      pack: 'starter',
      levels: ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'],
      protocol: 'leaderboard',
    });
    expect(document.querySelector('[data-service="tmap"]')?.textContent).toContain('missing: TMAP_APP_KEY');
    expect(document.querySelector('[data-cache]')?.textContent).toContain('Not comparable to the leaderboard');
    expect(document.querySelector('[data-cache]')?.textContent).toContain('cannot start');
    expect(document.querySelector('[data-cache] a')?.getAttribute('href')).toBe('#/models');
    document.querySelector<HTMLInputElement>('#without-keys')!.click();
    flushSync();
    expect(document.querySelector('[data-cache]')?.textContent).not.toContain('cannot start');
    button().click();
    expect(onStart.mock.calls[0]?.[0][0]).toMatchObject({ cache_mode: 'write', without_keys: true });
  });

  /** Types the model's whole name and takes it with Enter. */
  const name = (selector: string, model: string) => {
    const field = document.querySelector<HTMLInputElement>(selector)!;
    field.value = model;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    flushSync();
  };

  it('the model of a run that was started is the next form’s', () => {
    name('#model', 'baseline/silent');
    button().click();
    sessionStorage.clear();
    expect(newDraft(PACKS, MODELS).models[0]?.model).toBe('baseline/silent');
    // One that is not there any more is nobody's choice.
    localStorage.setItem('koab.lastModel', 'gone/model');
    expect(newDraft(PACKS, MODELS).models[0]?.model).toBe('baseline/golden');
    localStorage.clear();
  });

  it('runs several models one after the other', () => {
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Add a model')?.click();
    flushSync();
    name('#model-2', 'baseline/silent');
    button().click();
    expect(onStart.mock.calls[0]?.[0].map(({ model }) => model)).toEqual(['baseline/golden', 'baseline/silent']);
  });

  it('says what is missing instead of starting', () => {
    name('#model', 'ollama/');
    button().click();
    flushSync();
    expect(onStart).not.toHaveBeenCalled();
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('Enter a model name.');
  });

  const choose = async (selector: string, value: string) => {
    const field = document.querySelector<HTMLSelectElement>(selector)!;
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await settle();
  };

  it('offers of models inside the application what this build can do, and no constrained calls on the leaderboard', async () => {
    name('#model', 'local/Qwen/Q');
    await settle();
    expect(document.querySelector('[data-field="device"]')).not.toBeNull();
    const more = document.querySelector<HTMLDetailsElement>('[data-model-row] details')!;
    more.open = true;
    more.dispatchEvent(new Event('toggle'));
    const offered = () =>
      [...document.querySelectorAll('[data-field="device"] option')].map((option) => option.textContent);
    await settle();
    expect(offered()).toEqual(['automatic', 'CPU']);
    expect(document.body.textContent).toContain('This build runs on the CPU only.');
    const tick = document.querySelector<HTMLInputElement>('[data-field="constrained"]')!;
    expect(tick.disabled).toBe(true);
    expect(document.getElementById(tick.getAttribute('aria-describedby')!)?.textContent).toContain(
      'Not available in the leaderboard protocol',
    );
    document.querySelector<HTMLInputElement>('[name="protocol"][value="corrected"]')!.click();
    flushSync();
    tick.click();
    await choose('[data-field="precision"]', '4bit');
    await choose('[data-field="tool-form"]', 'llama3');
    button().click();
    expect(onStart.mock.calls[0]?.[0][0]?.local).toMatchObject({
      quantization: '4bit',
      tool_form: 'llama3',
      constrained: true,
    });
  });
});
