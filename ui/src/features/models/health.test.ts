import { expect, it, vi } from 'vitest';
import type { ConnectionHealth, ConnectionState, RunSummary, WireError } from '../../ipc/gen';
import { uncheckedHealth } from '../../platform/fakeData';
import { RECORDED } from '../../platform/recorded';
import { violations } from '../../shared/axeForTests';
import { brandOf } from '../../shared/connections/brands';
import { locale } from '../../shared/locale.svelte';
import { preferences } from '../../shared/preferences.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../shared/screenForTests';
import { lastRunOf } from './lastRuns';
import Screen from './Screen.svelte';

screensForTests();

const connection = (name: string, provider = 'openai_compat') => ({
  name,
  provider,
  base_url: `http://${name}:8000/v1`,
  models: ['qwen3', 'gone'],
});
const SETTINGS = RECORDED.settings_get;
const run = (id: string, model: string, date: string) => ({ id, model, date, levels: [], tags: [], note: '' }) as never;

interface Engine {
  kept: Record<string, Partial<ConnectionHealth>>;
  check?: (name: string) => ConnectionHealth;
  runs?: RunSummary[];
  offline?: boolean;
}

async function open(engine: Engine, names = ['lab', 'cloud', 'away', 'last']) {
  const connection_check = vi.fn(({ name }: { name: string }) => {
    const health = engine.check?.(name) ?? { ...uncheckedHealth(name), ...WELL };
    engine.kept[name] = health;
    return health;
  });
  await openScreen(Screen as never, {
    at: '#/models',
    before: async ({ client }) => preferences.begin(client, 'en'),
    answers: {
      settings_get: () => ({
        ...SETTINGS,
        offline: { ...SETTINGS.offline, on: engine.offline ?? false },
        settings: { ...SETTINGS.settings, language: null, connections: names.map((name) => connection(name)) },
      }),
      connections_health: () => names.map((name) => ({ ...uncheckedHealth(name), ...engine.kept[name] })),
      connection_check,
      runs_list: () => engine.runs ?? [],
    },
  });
  locale.choose('en');
  await settle();
  return connection_check;
}

const WELL = { state: 'well', listed: 12, latency_ms: 34, checked_ms: 1e12, last_success_ms: 1e12 } as const;
const card = (name: string) => find(`[data-connection-row="${name}"]`);
const state = (name: string) => card(name)?.querySelector<HTMLElement>('[data-health]')?.dataset['health'];

it('nothing is checked by itself, and a check says how fast and how many models', async () => {
  const checked = await open({ kept: {} });
  expect(state('lab')).toBe('unchecked');
  expect(checked).not.toHaveBeenCalled();
  card('lab')?.querySelector<HTMLElement>('[data-connection-check]')?.click();
  await settle();
  expect(checked).toHaveBeenCalledExactlyOnceWith({ name: 'lab' });
  expect(state('lab')).toBe('well');
  expect(card('lab')?.querySelector('[data-health-facts]')?.textContent).toMatch(
    /^34 ms · 12 models listed · checked /,
  );
});

it.each<[ConnectionState, string]>([
  ['address', 'Address not reached'],
  ['key', 'Key refused or missing'],
  ['protocol', 'Wrong protocol'],
  ['model', 'Model unknown'],
  ['server', 'Server busy or faulty'],
])('a fault of the %s has its own word, its remedy and the last success', async (fault, word) => {
  const kept = { state: fault, remedy: 'do this', detail: 'it said so', missing: ['gone'], last_success_ms: 1e12 };
  await open({ kept: { lab: { ...WELL, ...kept }, cloud: { ...kept, last_success_ms: null } } });
  expect(card('lab')?.querySelector('[data-health]')?.textContent).toContain(word);
  expect(card('lab')?.querySelector('[data-remedy]')?.textContent).toBe('do this');
  expect(card('lab')?.querySelector('details')?.textContent).toContain('it said so');
  expect(card('lab')?.textContent).toContain('last success: Sep 9, 2001');
  expect(card('cloud')?.textContent).toContain('last success: never');
  expect(await violations('region', 'page-has-heading-one', 'landmark-one-main', 'heading-order')).toEqual([]);
});

it('all are checked a few at once, and Cancel begins no further one', async () => {
  const waiting: (() => void)[] = [];
  const check = (name: string) =>
    new Promise<ConnectionHealth>((done) => waiting.push(() => done({ ...uncheckedHealth(name), ...WELL })));
  const checked = await open({ kept: {}, check: check as never }, ['a', 'b', 'c', 'd', 'e']);
  find('#check-all')?.click();
  await settle();
  expect(checked.mock.calls.map(([{ name }]) => name)).toEqual(['a', 'b', 'c']);
  expect(state('a')).toBe('checking');
  waiting[0]?.();
  await settle();
  expect(find('[data-checked]')?.textContent).toBe('1 of 5 checked');
  expect(checked).toHaveBeenCalledTimes(4);
  find('#check-cancel')?.click();
  await settle();
  expect(find<HTMLButtonElement>('#check-cancel')?.disabled).toBe(true);
  waiting.slice(1).forEach((done) => done());
  await settle();
  expect(checked).toHaveBeenCalledTimes(4);
  expect(find('#check-cancel')).toBeNull();
  expect(state('e')).toBe('unchecked');
});

it('offline, what was not asked says so and keeps its last result', async () => {
  const refuse = () => {
    throw { code: 'offline', message: 'koab is offline' } satisfies WireError;
  };
  await open({ kept: { lab: WELL }, check: refuse, offline: true });
  expect(find('[data-offline]')?.textContent).toContain('only servers on this computer');
  card('lab')?.querySelector<HTMLElement>('[data-connection-check]')?.click();
  await settle();
  expect(card('lab')?.querySelector('[role="alert"]')?.textContent).toContain('koab is offline');
  expect(state('lab')).toBe('well');
});

it('the connection that was used last comes first, and Run takes its last model', async () => {
  const runs = [run('r1', 'last/qwen3', '20260101_000000'), run('r2', 'agent 1 · away/gone', '20260301_000000')];
  await open({ kept: {}, runs });
  const names = [...document.querySelectorAll<HTMLElement>('[data-connection-row]')];
  expect(names.map((row) => row.dataset['connectionRow'])).toEqual(['away', 'last', 'lab', 'cloud']);
  expect(card('away')?.querySelector('[data-connection-run]')?.getAttribute('href')).toBe('#/runs?model=away%2Fgone');
  expect(card('lab')?.querySelector('[data-connection-run]')?.getAttribute('href')).toBe('#/runs?model=lab%2Fqwen3');
  expect(card('last')?.textContent).toContain('Last run: 2026-01-01');
  expect(lastRunOf(runs, 'a')).toBeUndefined();
});

it('servers have the names of their makers in both languages', async () => {
  await open({ kept: {} });
  expect(brandOf('openai_compat', 'https://api.upstage.ai/v1')).toBe('Upstage');
  expect(brandOf('gemini')).toBe('Google Gemini');
  expect(text()).toContain('OpenAI-compatible server');
  locale.choose('ko');
  await settle();
  expect(text()).toContain('OpenAI 호환 서버');
  expect(text()).toContain('확인 안 함');
});
