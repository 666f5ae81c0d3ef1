// Search and commands, shortcuts, menu and the about box, as a user meets them in the app.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReportRow, RunSummary, TaskRow } from '../ipc/gen';
import { createFake, type FakeOptions } from '../platform/fake';
import { PACKS, SETTINGS } from '../platform/fakeData';
import { REPORT_ROW } from '../shared/reports/row.fixture';
import { NoSizes, settle } from '../shared/screenForTests';
import App from './App.svelte';
import { found, runItems } from './palette';
import { GLOBAL } from './shortcuts';

let app: ReturnType<typeof mount> | undefined;

beforeEach(() => {
  // jsdom has no layout.
  vi.stubGlobal('ResizeObserver', NoSizes);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(900);
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '#/runs');
  vi.useFakeTimers();
});

afterEach(async () => {
  if (app) await unmount(app);
  app = undefined;
  await vi.advanceTimersByTimeAsync(500);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const run = (id: string, date: string): RunSummary => ({
  id: `${id}/${date}`,
  model: `openai/${id}`,
  date,
  pack: 'starter@1.0.0',
  protocol: 'leaderboard',
  levels: [],
  complete: true,
  held_by: null,
  resume: null,
  usd: null,
  tags: [],
  note: '',
  folder: `~/koab/logs/${id}/${date}`,
});
const RUNS = [run('old', '20260101_090000'), run('new', '20261101_090000'), run('middle', '20260601_090000')];
const task = (id: string, level: TaskRow['level'], instruction: string): TaskRow => ({
  id,
  level,
  instruction,
  category: null,
  tools: [],
  calls: 1,
  answered: 1,
  flag: null,
  problems: 0,
});
const TASKS = [task('L1-001', 'L1', '강남역 근처 카페를 찾아 줘'), task('L2-003', 'L2', '내일 서울 날씨를 알려 줘')];
const REPORT: ReportRow = {
  ...REPORT_ROW,
  id: 'openai_new_20261101',
  model: 'openai/new',
  date: '20261101_090000',
  composite_reason: 'SR is unscored',
};

async function open(options: FakeOptions = {}): Promise<void> {
  const answers = {
    tasks_list: () => ({ pack: 'starter', version: '1.0.0', tasks: TASKS }),
    reports_library: () => [REPORT],
    ...options.answers,
  };
  app = mount(App, {
    target: document.body,
    props: { platform: createFake({ pace: 10, batch: 10, runs: RUNS, ...options, answers }) },
  });
  await settle();
}

const CODES: Record<string, string> = { ',': 'Comma', '?': 'Slash' };
function press(key: string, more: KeyboardEventInit = {}): void {
  const code =
    CODES[key] ?? (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key);
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...more }));
  flushSync();
}
const ctrl = { ctrlKey: true };

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);
const items = () => [...document.querySelectorAll<HTMLElement>('[data-item]')].map((item) => item.dataset['item']);
const go = async (hash: string) => {
  location.hash = hash;
  dispatchEvent(new HashChangeEvent('hashchange'));
  await settle();
};
async function type(text: string): Promise<void> {
  const field = find<HTMLInputElement>('[data-query]')!;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
}
const arrived = async () => {
  dispatchEvent(new HashChangeEvent('hashchange'));
  await settle();
  return location.hash;
};

describe('the palette', () => {
  it('opens by its key, offers actions, screens and the newest runs, and goes where Enter says', async () => {
    await open();
    press('k', ctrl);
    await settle();
    expect(document.activeElement?.matches('[data-query]')).toBe(true);
    expect(items()).toContain('screen-settings');
    press('ArrowDown');
    await settle();
    const active = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.dataset['item']).toBe('sweep');
    expect(
      document.getElementById(document.activeElement?.getAttribute('aria-controls') ?? '')?.getAttribute('role'),
    ).toBe('listbox');
    expect(items().filter((id) => id?.startsWith('run-'))).toEqual([
      'run-new/20261101_090000',
      'run-middle/20260601_090000',
      'run-old/20260101_090000',
    ]);
    await type('20260601');
    expect(items()).toEqual(['run-middle/20260601_090000', 'find']);
    press('Enter');
    await settle();
    expect(await arrived()).toBe('#/runs/middle%2F20260601_090000');
    expect(find('[data-palette]')).toBeNull();
  });

  it('finds tasks by Korean words, composed or not, and reports by model', async () => {
    await open();
    press('k', ctrl);
    await settle();
    await type('카페');
    expect(items()).toEqual(['task-L1-001', 'find']);
    await type('서울 날씨'.normalize('NFD'));
    expect(items()).toEqual(['task-L2-003', 'find']);
    await type('openai/new');
    expect(items()).toEqual(['run-new/20261101_090000', 'report-openai_new_20261101', 'find']);
    await type('zzz');
    expect(items()).toEqual(['find']);
    expect(find('[data-palette]')?.textContent).toContain('Nothing matches “zzz”.');
    press('Enter');
    await settle();
    expect(await arrived()).toBe('#/find?q=zzz');
  });

  it.each([
    ['gpt-5 L3', ['run-two']],
    ['l3 GPT', ['run-two']],
    ['gpt-5', ['run-one', 'run-two']],
    ['gpt-5 L7', []],
    ['other L3', ['run-other']],
  ])('finds runs by model and level: “%s”', (text, ids) => {
    const level = (level: 'L1' | 'L3') => ({ level, tasks: 1 }) as RunSummary['levels'][number];
    const of = (id: string, model: string, levels: RunSummary['levels']): RunSummary => ({
      ...run(id, '20260101_090000'),
      id,
      model,
      levels,
    });
    const runs = [
      of('one', 'azure/gpt-5', [level('L1')]),
      of('two', 'azure/gpt-5', [level('L1'), level('L3')]),
      of('other', 'a/other', [level('L3')]),
    ];
    const items = { actions: [], screens: [], runs: runItems(runs, vi.fn()), reports: [], tasks: [], find: [] };
    expect(found(items, text).flatMap((group) => group.items.map(({ id }) => id))).toEqual(ids);
  });

  it('leaves the keys of a syllable to the input method', async () => {
    await open();
    press('k', ctrl);
    await settle();
    await type('카페');
    for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
      press('Enter', composing);
      press('Escape', composing);
    }
    await settle();
    expect(find<HTMLInputElement>('[data-query]')?.value).toBe('카페');
    expect(await arrived()).toBe('#/runs');
    press('Enter');
    await settle();
    expect(await arrived()).toBe('#/tasks/L1-001');
  });

  it('switches language and appearance, and offers the run in flight', async () => {
    const set = vi.fn(({ settings }) => ({ ...SETTINGS, settings }));
    await open({ pace: 200, batch: 1, answers: { settings_set: set } });
    await go('#/runs?new=1');
    find('#run')?.click();
    await settle();
    press('k', ctrl);
    await settle();
    expect(items().slice(0, 2)).toEqual(['pause', 'cancel']);
    await type('한국어');
    press('Enter');
    await settle();
    expect(document.documentElement.lang).toBe('ko');
    expect(set.mock.calls.at(-1)?.[0].settings.language).toBe('ko');
    press('k', ctrl);
    await settle();
    await type('일시 정지');
    expect(items()).toContain('pause');
    press('Enter');
    await settle(1_000);
    press('k', ctrl);
    await settle();
    expect(items()[0]).toBe('unpause');
    await type('다크');
    press('Enter');
    await settle();
    expect(document.documentElement.dataset['theme']).toBe('dark');
  });

  it('says what could not be searched and goes on without it', async () => {
    await open({ failing: { reports_library: { code: 'storage', message: 'koab.sqlite is locked' } } });
    press('k', ctrl);
    await settle();
    expect(find('[data-palette] [role="alert"]')?.textContent).toContain('koab.sqlite is locked');
    await type('카페');
    expect(items()).toEqual(['task-L1-001', 'find']);
  });

  it('opens the form of a new run, with the focus in it, and Esc leaves it', async () => {
    await open();
    await go('#/tasks');
    press('k', ctrl);
    await settle();
    await type('new run');
    press('Enter');
    await settle();
    await arrived();
    await settle();
    expect(document.activeElement?.closest('.drawer')).not.toBeNull();
    press('Escape');
    await settle();
    expect(await arrived()).toBe('#/runs');
    expect(find('[role="dialog"]')).toBeNull();
    expect(document.activeElement?.id).toBe('new-run');
  });
});

describe('shortcuts', () => {
  it('no two have the same keys', () => {
    const written = GLOBAL.map(({ presses }) => JSON.stringify(presses));
    expect(new Set(written).size).toBe(written.length);
    const first = GLOBAL.filter(({ presses }) => presses.length === 2).map(({ presses }) => presses[0]?.[0]);
    expect(GLOBAL.some(({ presses }) => presses.length === 1 && first.includes(presses[0]?.[0]))).toBe(false);
  });

  it('go to rooms and areas, also under a Korean layout', async () => {
    await open();
    press('3', ctrl);
    expect(await arrived()).toBe('#/tasks');
    press('2', ctrl);
    expect(await arrived()).toBe('#/reports');
    press(',', ctrl);
    expect(await arrived()).toBe('#/settings');
    press('ㅎ', { code: 'KeyG' });
    press('ㅅ', { code: 'KeyT' });
    expect(await arrived()).toBe('#/tasks');
    press('g');
    press('d');
    expect(await arrived()).toBe('#/packs?edit=1');
    press('g');
    press('t');
    expect(await arrived()).toBe('#/tasks');
    press('t');
    press('x');
    press('r');
    expect(await arrived()).toBe('#/tasks');
  });

  it('rest while a text is typed, a syllable is composed or a dialog is open', async () => {
    await open();
    const field = document.createElement('input');
    document.body.append(field);
    field.focus();
    for (const key of ['?', 'g', 't']) press(key);
    press('3', ctrl);
    press('k', { ...ctrl, isComposing: true });
    await settle();
    expect(await arrived()).toBe('#/runs');
    expect(find('[role="dialog"]')).toBeNull();
    field.remove();
    press('g');
    press('t', { isComposing: true });
    press('?', { keyCode: 229 });
    await settle();
    expect(await arrived()).toBe('#/runs');
    press('?', { shiftKey: true });
    await settle();
    expect(find('[role="dialog"]')?.textContent).toContain('Next and previous task');
    press('g');
    press('t');
    expect(await arrived()).toBe('#/runs');
    press('Escape');
    await settle();
    expect(find('[role="dialog"]')).toBeNull();
  });

  it('explain metrics with one key, under a Korean layout too, and not while a text is typed', async () => {
    await open();
    press('ㅑ', { code: 'KeyI' });
    await settle();
    expect(find('[role="dialog"]')?.textContent).toContain('RedundantCallRate');
    press('Escape');
    await settle();
    expect(find('[role="dialog"]')).toBeNull();
  });

  it('are all in the help, in both languages', async () => {
    localStorage.setItem('koab.language', 'ko');
    await open({
      answers: { settings_get: () => ({ ...SETTINGS, settings: { ...SETTINGS.settings, language: 'ko' } }) },
    });
    press('?', { shiftKey: true });
    await settle();
    const shown = new Set([...document.querySelectorAll<HTMLElement>('[data-deed]')].map((row) => row.dataset['deed']));
    expect(shown).toEqual(new Set(GLOBAL.map(({ deed }) => deed)));
    expect(find('[data-deed="tasks"]')?.textContent).toContain('과제 화면으로');
  });
});

describe('the menu', () => {
  it('opens with one click and shows the about box with versions and licences of data', async () => {
    await open();
    find('#menu')?.click();
    await settle();
    expect([...document.querySelectorAll<HTMLElement>('[data-action]')].map((item) => item.dataset['action'])).toEqual([
      'palette',
      'import',
      'guide',
      'shortcuts',
      'about',
    ]);
    // The last item, and around the end of the list.
    press('ArrowUp');
    press('Enter');
    await settle();
    expect(find('#versions')?.textContent).toContain('0.0.0-fake');
    for (const pack of PACKS) expect(find('#pack-licences')?.textContent).toContain(pack.name);
    expect(find('[role="dialog"]')?.textContent).toContain('No telemetry');
    expect(find('[data-licences="npm"]')?.textContent).toContain('bits-ui');
    expect(find('[data-licences="crates"]')?.textContent).toContain('serde_json');
  });

  it('offers other workspaces that are there, each in a window of its own', async () => {
    const openWorkspace = vi.fn(async () => undefined);
    const workspaces_list = () => [
      { folder: '/w/here', opened: '2026-11-21T09:30:00Z', state: 'here' as const },
      { folder: '/w/실험 1', opened: '2026-11-20T09:30:00Z', state: 'there' as const },
      { folder: '/w/gone', opened: '2026-11-19T09:30:00Z', state: 'missing' as const },
    ];
    await open({ host: { openWorkspace }, answers: { workspaces_list } });
    find('#menu')?.click();
    await settle();
    const offered = [...document.querySelectorAll<HTMLElement>('[data-action^="workspace-"]')];
    expect(offered.map((item) => item.textContent?.trim())).toEqual([
      'Open workspace 실험 1 in new window',
      'Open another workspace…',
    ]);
    offered[0]?.click();
    await settle();
    expect(openWorkspace.mock.calls).toEqual([['/w/실험 1', false]]);
  });

  it('opens the workspace folder where there is a window around the page', async () => {
    const outside = vi.fn(async () => undefined);
    await open({ host: { host: 'window', open: outside } });
    press('k', ctrl);
    await settle();
    await type('workspace');
    press('Enter');
    await settle();
    expect(outside).toHaveBeenCalledWith('~/koab');
  });
});
