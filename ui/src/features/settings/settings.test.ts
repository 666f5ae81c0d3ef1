import { afterEach, expect, it, vi } from 'vitest';
import type { EgressRow, EgressView, RecentWorkspace, SettingsView } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { MODELS, SETTINGS } from '../../platform/fakeData';
import { FakeJobs } from '../../platform/fakeJobs';
import { locale } from '../../shared/locale.svelte';
import { preferences } from '../../shared/preferences.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import Screen from './Screen.svelte';

screensForTests();
afterEach(() => locale.choose('en'));

const price = (model: string, own: boolean) => ({
  model,
  input: 1,
  output: 2,
  as_of: '2025-12-19',
  source: own ? null : 'a price list',
  unconfirmed: false,
  own,
});

const open = (options: FakeOptions = {}) =>
  openScreen(Screen, {
    ...options,
    answers: { prices_list: () => [price('openai/gpt-4o', false)], ...options.answers },
    before: ({ client }) => preferences.begin(client, 'en'),
  });

it('the language is kept by the engine, and the page only remembers it', async () => {
  await open();
  await put('#settings-language', 'ko');
  expect(document.documentElement.lang).toBe('ko');
  expect(preferences.view?.settings.language).toBe('ko');
  await put('#settings-language', '');
  expect(document.documentElement.lang).toBe('en');
  expect(localStorage.getItem('koab.language')).toBeNull();
});

it('a number is kept, cleared, and put back when it is refused', async () => {
  let refuse = false;
  const kept: SettingsView['settings'][] = [];
  const settings_set = ({ settings }: { settings: SettingsView['settings'] }) => {
    if (refuse) throw { code: 'bad_request', message: 'attempts in flight must be between 1 and 256' };
    kept.push(settings);
    return { ...SETTINGS, settings };
  };
  await open({ answers: { settings_set } });
  await put('#settings-concurrency', '4');
  await put('#settings-concurrency', '');
  expect(kept.map(({ concurrency }) => concurrency)).toEqual([4, null]);
  await put('#settings-cost', '2.5');
  expect(kept.at(-1)?.max_cost_per_day).toBe(2.5);
  refuse = true;
  await put('#settings-concurrency', '999');
  expect(find<HTMLInputElement>('#settings-concurrency')?.value).toBe('');
  expect(text()).toContain('attempts in flight must be between 1 and 256');
});

it('a proxy address is kept only when it is given', async () => {
  const kept: string[] = [];
  const settings_set = ({ settings }: { settings: SettingsView['settings'] }) => {
    kept.push(`${settings.proxy} ${settings.proxy_address}`);
    return { ...SETTINGS, settings };
  };
  await open({ answers: { settings_set } });
  await put('#settings-proxy', 'address');
  expect(kept).toEqual([]);
  await put('#settings-proxy-address', 'http://proxy:8080');
  find('#settings-proxy-address')?.closest('form')?.requestSubmit();
  await settle();
  expect(kept).toEqual(['address http://proxy:8080']);
});

it('the offline switch is kept, told, and put back when it is refused; what forces it is said', async () => {
  const turned: boolean[] = [];
  let refuse = false;
  const offline_set = ({ on }: { on: boolean }) => {
    if (refuse) throw { code: 'storage', message: 'the disk is full' };
    turned.push(on);
    return { ...SETTINGS, offline: { on, kept: on, forced: null } };
  };
  await open({ answers: { offline_set } });
  const box = () => find<HTMLInputElement>('#settings-offline');
  expect(find('#settings-offline-now')).toBeNull();
  box()?.click();
  await settle();
  expect(find('#settings-offline-now')?.textContent).toContain('nothing leaves this computer');
  refuse = true;
  box()?.click();
  await settle();
  expect([turned, box()?.checked]).toEqual([[true], true]);
  const offline = { on: true, kept: false, forced: 'environment' } as const;
  await open({ answers: { settings_get: () => ({ ...SETTINGS, offline }) } });
  expect(text()).toContain('KOAB_OFFLINE is set');
});

it('what has left is a table that can be filtered and cleared after a question', async () => {
  const row = (host: string, purpose: EgressRow['purpose'], refused: number): EgressRow => ({
    from: '2026-11-21T09:30:01.000Z',
    to: '2026-11-21T09:30:59.000Z',
    host,
    purpose,
    requests: 3,
    refused,
  });
  const empty: EgressView = {
    rows: [],
    requests: 0,
    refused: 0,
    since: null,
    left_out: 0,
    unreadable: 0,
    unwritten: 0,
    folder: '/w/egress',
  };
  let view: EgressView = {
    ...empty,
    rows: [row('api.openai.com', 'model', 0), row('huggingface.co', 'weights', 3)],
    requests: 6,
    refused: 3,
  };
  const egress_clear = vi.fn(() => {
    view = empty;
    return { requests: 6 };
  });
  await open({ answers: { egress_view: () => view, egress_clear } });
  const hosts = () =>
    [...document.querySelectorAll<HTMLElement>('[data-egress]')].map(({ dataset }) => dataset['egress']);
  expect(hosts()).toEqual(['api.openai.com', 'huggingface.co']);
  expect(find('#egress-sum')?.textContent).toBe('6 requests, 3 of them blocked');
  await put('#egress-filter', 'model download');
  expect(hosts()).toEqual(['huggingface.co']);
  find('#egress-clear')?.click();
  await settle();
  expect(egress_clear).not.toHaveBeenCalled();
  [...document.querySelectorAll('button')].find((button) => button.textContent?.trim() === 'Clear')?.click();
  await settle();
  expect(find('#egress-nothing')?.textContent).toBe('No requests have left this computer.');
});

it('a collector gets nothing until it is named, texts only by a switch of their own, and both can be taken back', async () => {
  const kept: string[] = [];
  const settings_set = ({ settings }: { settings: SettingsView['settings'] }) => {
    kept.push(`${settings.otlp_endpoint} ${settings.otlp_content}`);
    return { ...SETTINGS, settings };
  };
  await open({ answers: { settings_set } });
  const texts = () => find<HTMLInputElement>('#settings-texts');
  expect(texts()?.disabled).toBe(true);
  await put('#settings-collector', 'http://127.0.0.1:4318');
  expect(kept).toEqual([]);
  find('#settings-collector')?.closest('form')?.requestSubmit();
  await settle();
  expect(text()).toContain('On: traces are sent to http://127.0.0.1:4318, without texts.');
  texts()?.click();
  await settle();
  expect(text()).toContain('http://127.0.0.1:4318, with all texts.');
  find('#settings-collector-off')?.click();
  await settle();
  expect(kept).toEqual(['http://127.0.0.1:4318 false', 'http://127.0.0.1:4318 true', ' true']);
  expect(texts()?.disabled).toBe(true);
});

it('another workspace counts from the next start on, and where one was given it says so', async () => {
  let next_home: string | null = null;
  const workspace_choose = vi.fn(({ folder }: { folder: string | null }) => (next_home = folder));
  await open({ answers: { workspace_choose, settings_get: () => ({ ...SETTINGS, next_home }) } });
  await put('#workspace-path', '/data/koab');
  find('#workspace-path')?.closest('form')?.requestSubmit();
  await settle();
  expect(workspace_choose).toHaveBeenCalledWith({ folder: '/data/koab' });
  expect(text()).toContain('The next start uses /data/koab');
  await open({ answers: { settings_get: () => ({ ...SETTINGS, home_origin: 'environment' }) } });
  expect(find('#workspace-path')).toBeNull();
  expect(text()).toContain('Set by KOAB_HOME');
});

it('recent workspaces are opened, explained where they are gone, and taken off the list', async () => {
  const row = (folder: string, state: RecentWorkspace['state']) => ({ folder, opened: '2026-11-21T09:30:00Z', state });
  let list = [row('/w/here', 'here'), row('/w/there', 'there'), row('/w/empty', 'empty'), row('/w/gone', 'missing')];
  const openWorkspace = vi.fn(async () => undefined);
  const workspace_forget = ({ folder }: { folder: string }) => (list = list.filter((one) => one.folder !== folder));
  const jobs = new FakeJobs();
  await open({
    answers: { workspaces_list: () => list, workspace_forget },
    host: { openWorkspace, pick: async () => ['/w/another'] },
    jobs,
  });
  const presses = (folder: string) =>
    [...document.querySelectorAll(`[data-workspace="${folder}"] button`)].map((one) => one.textContent?.trim());
  expect(presses('/w/here')).toEqual([]);
  expect(presses('/w/there')).toEqual(['Open in new window', 'Open in this window', 'Remove from list']);
  expect(presses('/w/gone')).toEqual(['Remove from list']);
  expect(find('[data-workspace="/w/gone"]')?.textContent).toContain('Connect its drive');
  expect(find('[data-workspace="/w/empty"]')?.textContent).toContain('starts an empty one');
  find('[data-workspace="/w/there"] [data-open="here"]')?.click();
  find('#workspace-other')?.click();
  await settle();
  expect(openWorkspace.mock.calls).toEqual([
    ['/w/there', true],
    ['/w/another', false],
  ]);
  find('[data-workspace="/w/gone"] [data-forget]')?.click();
  await settle();
  expect(find('[data-workspace="/w/gone"]')).toBeNull();
  // A browser has no windows of ours.
  await open({ answers: { workspaces_list: () => list } });
  expect(find('#workspace-other')).toBeNull();
});

it('own prices are set and taken away', async () => {
  let prices = [price('openai/gpt-4o', false)];
  const price_set = vi.fn(({ price: wanted }: { price: [number, number] | null }) => {
    prices = [...(wanted ? [price('ollama/*', true)] : []), price('openai/gpt-4o', false)];
    return prices;
  });
  await open({ answers: { price_set, prices_list: () => prices } });
  await put('#price-model', 'ollama/*');
  await put('input[aria-label="Input"]', '0');
  await put('input[aria-label="Output"]', '0.5');
  find('#price-set')?.click();
  await settle();
  expect(price_set).toHaveBeenCalledWith({ model: 'ollama/*', price: [0, 0.5] });
  find('[data-price="ollama/*"] button')?.click();
  await settle();
  expect(price_set).toHaveBeenLastCalledWith({ model: 'ollama/*', price: null });
  expect(document.querySelectorAll('[data-price]')).toHaveLength(1);
});

it('a model of a connection or one that has a price is chosen, the latter with its numbers', async () => {
  const connection = { name: 'lab', provider: 'openai_compat', base_url: 'http://localhost:1/v1', models: ['m'] };
  const models_list = () => MODELS.slice(0, 1).map((model) => ({ ...model, connection }));
  await open({ answers: { models_list } });
  find('#price-model')?.click();
  await settle();
  const offered = [...document.querySelectorAll('[role="option"]')].map((option) => option.getAttribute('data-value'));
  expect(offered).toEqual(['openai_compat/m', 'openai/gpt-4o']);
  find('[data-value="openai/gpt-4o"]')?.click();
  await settle();
  expect(find<HTMLInputElement>('#price-model')?.value).toBe('openai/gpt-4o');
  expect(find<HTMLInputElement>('input[aria-label="Input"]')?.value).toBe(String(price('openai/gpt-4o', false).input));
});

it('checks are said in the language shown, as far as the engine has them in it', async () => {
  const doctor = () => [
    { what: 'keychain', ok: false, found: 'the keychain does not answer', remedy: 'as a server said' },
  ];
  await open({ answers: { doctor } });
  find('#doctor')?.click();
  await settle();
  expect(text()).toContain('the keychain does not answer');
  locale.choose('ko');
  await settle();
  expect(find('[data-check="keychain"]')?.textContent).toMatch(/키체인 *키체인이 응답하지 않습니다.*as a server said/s);
  locale.choose('en');
  await settle();
  expect(text()).toContain('the keychain does not answer');
});

it('an error is said in the language shown at once', async () => {
  const failing = {
    doctor: {
      code: 'storage',
      message: {
        text: 'cannot {what} {path}, the disk is full; free some space and try again',
        args: { what: { text: 'write' }, path: 'a.db' },
      },
    } as const,
  };
  await open({ failing });
  find('#doctor')?.click();
  await settle();
  expect(text()).toContain('cannot write a.db, the disk is full');
  locale.choose('ko');
  await settle();
  expect(text()).toContain('a.db: 디스크가 가득 찼습니다(쓰기)');
  expect(text()).not.toContain('the disk is full');
});

it('checks say what does not work and what to do', async () => {
  const doctor = () => [{ what: 'keychain', ok: false, found: 'no service', remedy: 'start one' }];
  await open({ answers: { doctor } });
  find('#doctor')?.click();
  await settle();
  expect(find('[data-check="keychain"]')?.textContent).toMatch(/problem.*no service.*start one/s);
  expect(text()).toContain('None. Only requests that you configure leave this computer');
});
