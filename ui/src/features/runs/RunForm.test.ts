import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunRequest } from '../../ipc/types';
import { LOCALES } from '../../locales';
import { MODELS, PACKS } from '../../platform/fakeData';
import { locale } from '../../shared/locale.svelte';
import { keepDraft, newDraft, openDraft, problemsOf, requestOf } from './draft';
import { runLabel } from './label';
import { spanOf } from './levels';
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
    ['en', all, false, 'Run L1–L7'],
    ['ko', all, false, 'L1–L7 실행'],
    ['en', ['L2', 'L5'], false, 'Run L2, L5'],
    ['ko', ['L2', 'L5'], false, 'L2, L5 실행'],
    ['en', [], false, 'Choose a level to run'],
    ['ko', [], false, '실행할 레벨을 고르세요'],
    ['en', all, true, 'A run is in progress'],
  ] as const)('in %s over %j (busy: %s) says %s', (language, levels, busy, text) =>
    expect(runLabel(LOCALES[language].runs, levels, busy)).toBe(text),
  );
});

describe('a draft', () => {
  const golden = MODELS[0]!;
  const server = MODELS[2]!;

  it('begins with the active pack, all its levels and the golden baseline, and has no problem', () => {
    const draft = newDraft(PACKS, MODELS);
    expect([draft.pack, draft.model, draft.levels.length]).toEqual(['starter', 'baseline/golden', 7]);
    expect(problemsOf(draft, golden)).toEqual([]);
  });

  it('of a server needs a name, and an address that is one', () => {
    const draft = { ...newDraft(PACKS, MODELS), model: server.id, baseUrl: 'localhost:8000' };
    expect(problemsOf(draft, server)).toEqual(['modelName', 'baseUrl']);
  });

  it('of a service with an address of its own needs none', () => {
    const draft = { ...newDraft(PACKS, MODELS), model: server.id, modelName: 'm', baseUrl: ' ' };
    expect(problemsOf(draft, server)).toEqual([]);
    expect(requestOf(draft, server, 'id').base_url).toBeNull();
  });

  it('becomes a request with levels in order, and no address for a baseline', () => {
    const draft = { ...newDraft(PACKS, MODELS), levels: ['L5', 'L1'] as ('L5' | 'L1')[], baseUrl: 'http://x' };
    expect(requestOf(draft, golden, 'id')).toMatchObject({ run: 'id', levels: ['L1', 'L5'], base_url: null });
    const named = requestOf({ ...draft, modelName: ' qwen3:8b ' }, server, 'id');
    expect(named).toMatchObject({ model: 'openai_compat/qwen3:8b', base_url: 'http://x' });
  });

  it('is the same after a reload, unless its pack or model is gone', () => {
    const draft = { ...newDraft(PACKS, MODELS), model: server.id, modelName: 'm', repetitions: 3 };
    keepDraft(draft);
    expect(openDraft(PACKS, MODELS)).toEqual(draft);
    expect(openDraft(PACKS, [golden]).model).toBe('baseline/golden');
    expect(openDraft(PACKS.slice(1), MODELS).pack).toBe('half');
    sessionStorage.clear();
  });

  it.each([
    [{ repetitions: 0 }, 'repetitions'],
    [{ repetitions: 1.5 }, 'repetitions'],
    [{ repetitions: null }, 'repetitions'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ levels: [] }, 'levels'],
  ])('with %j has the problem %s', (change, problem) =>
    expect(problemsOf({ ...newDraft(PACKS, MODELS), ...change }, golden)).toEqual([problem]),
  );
});

describe('the form', () => {
  let form: ReturnType<typeof mount>;
  const onStart = vi.fn<(request: RunRequest) => void>();

  beforeEach(() => {
    sessionStorage.clear();
    onStart.mockClear();
    locale.choose('en');
    const props = { packs: PACKS, models: MODELS, busy: false, onStart, onPack: () => undefined, onReload: () => undefined };
    form = mount(RunForm, { target: document.body, props });
    flushSync();
  });
  afterEach(() => unmount(form));

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
    const [first, second] = onStart.mock.calls.map(([request]) => request);
    expect(first).toMatchObject({ pack: 'starter', model: 'baseline/golden', repetitions: 1, concurrency: null });
    expect(first?.run).not.toBe(second?.run);
  });

  it('says what is missing instead of starting', () => {
    const model = document.querySelector<HTMLSelectElement>('#model')!;
    model.value = 'ollama/';
    model.dispatchEvent(new Event('change', { bubbles: true }));
    flushSync();
    button().click();
    flushSync();
    expect(onStart).not.toHaveBeenCalled();
    expect(document.querySelector('[role="alert"]')?.textContent).toContain('Enter the model’s name.');
  });
});
