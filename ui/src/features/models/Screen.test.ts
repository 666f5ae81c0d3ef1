import { flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Commands, KeysView } from '../../ipc/gen';
import { createClient } from '../../ipc/client';
import { createFake, type FakeOptions } from '../../platform/fake';
import HostForTests from '../../shared/HostForTests.svelte';
import { locale } from '../../shared/locale.svelte';
import { route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import Screen from './Screen.svelte';

const VIEW: KeysView = {
  keychain: 'no_bus',
  keychain_sentence: 'there is no keychain: start koab in a desktop session',
  file: 'absent',
  keys: [
    { name: 'OPENAI_API_KEY', asked_by: 'openai', is_key: true, present: false, source: null },
    { name: 'GROQ_API_KEY', asked_by: 'groq', is_key: true, present: true, source: 'environment' },
    { name: 'TMAP_APP_KEY', asked_by: 'tmap', is_key: true, present: true, source: 'session' },
    { name: 'AZURE_API_BASE', asked_by: 'azure', is_key: false, present: false, source: null },
  ],
};
const nothing = { needs_base_url: false, needs: [] };
const needs = (name: string, present: boolean) => ({ needs_base_url: false, needs: [{ any_of: [name], present }] });
const MODELS: Commands['models_list']['answer'] = [
  { id: 'baseline/golden', kind: 'baseline', default_base_url: null, ...nothing },
  { id: 'lmstudio/', kind: 'server', default_base_url: 'http://localhost:1234/v1', ...nothing },
  {
    ...{ id: 'openai/', kind: 'server', default_base_url: 'https://api.openai.com/v1' },
    ...needs('OPENAI_API_KEY', false),
  },
  { id: 'azure/', kind: 'server', default_base_url: null, ...needs('AZURE_API_BASE', false) },
  { id: 'groq/', kind: 'server', default_base_url: null, ...needs('GROQ_API_KEY', true) },
];

let shown: ReturnType<typeof mount> | undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = undefined;
  route.go('#/models', { replace: true });
  vi.useRealTimers();
});

async function open(options: FakeOptions): Promise<void> {
  const platform = createFake({
    ...options,
    answers: { models_list: () => MODELS, keys_list: () => VIEW, ...options.answers },
  });
  locale.choose('en');
  const host = { platform, client: createClient(platform) };
  shown = mount(HostForTests, { target: document.body, props: { host, shown: Screen as Component<never>, props: {} } });
  await settle();
}

function type(selector: string, text: string): void {
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error(`no ${selector}`);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
}

function press(selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  if (!button) throw new Error(`no ${selector}`);
  button.click();
  flushSync();
}

const rows = (within = '') =>
  [...document.querySelectorAll<HTMLElement>(`${within} [data-provider]`)].map((row) => row.dataset['provider']);

async function services(): Promise<void> {
  press('[data-tab="services"]');
  await settle();
}

it('providers have the names of their makers, and those without a key are folded', async () => {
  await open({});
  expect(rows()).toEqual(['lmstudio', 'groq', 'openai', 'azure']);
  expect(rows('#askers-folded')).toEqual(['openai', 'azure']);
  expect(document.querySelector<HTMLDetailsElement>('#askers-folded')?.open).toBe(false);
  expect(document.querySelector('[data-provider="lmstudio"] th')?.textContent).toContain('LM Studio');
  expect(document.body.textContent).toContain('start koab in a desktop session');
  expect(document.querySelector('[data-key="GROQ_API_KEY"]')?.textContent).toContain('from the environment');
  // The names of variables are under the details, and a setting is never said to lack a key.
  expect(document.querySelector('[data-provider="groq"] details')?.textContent).toContain('GROQ_API_KEY');
  const setting = document.querySelector('[data-key="AZURE_API_BASE"]')?.textContent ?? '';
  expect(setting).toContain('not set');
  expect(setting).not.toContain('no key');
  // A search finds what is folded.
  type('input[type="search"]', 'openai');
  expect(rows()).toEqual(['openai', 'azure']);
  expect(document.querySelector('#askers-folded')).toBeNull();
});

it('keys of tools and services are a tab of their own', async () => {
  await open({});
  expect(rows()).not.toContain('tmap');
  await services();
  expect(rows()).toEqual(['tmap']);
  expect(document.querySelector('[data-provider="tmap"] th')?.textContent).toContain('TMAP');
  expect(document.querySelector('#connections')).toBeNull();
});

it('a key goes to the engine with its place, and leaves nothing on the page', async () => {
  const key_set = vi.fn(() => ({ name: 'OPENAI_API_KEY', place: 'session' as const, environment_wins: false }));
  await open({ answers: { key_set } });
  press('[data-key="OPENAI_API_KEY"]');
  await settle();
  // Without a keychain it is not on offer, and nothing is written down unless the user asks for it.
  expect(document.querySelector<HTMLInputElement>('[name="place"][value="keychain"]')?.disabled).toBe(true);
  type('#key-value', 'canary-1');
  press('[type="submit"][form="key-form"]');
  await settle();
  expect(document.querySelector('#key-form')).toBeNull();
  expect(key_set).toHaveBeenCalledExactlyOnceWith({ name: 'OPENAI_API_KEY', value: 'canary-1', place: 'session' });
  expect(document.documentElement.outerHTML).not.toContain('canary-1');
});

it('the encrypted file asks for its passphrase first, and a refusal keeps the dialog open', async () => {
  const calls: string[] = [];
  await open({
    answers: {
      keys_unlock: () => (calls.push('unlock'), null),
      key_set: () => {
        calls.push('set');
        throw { code: 'storage', message: 'the disk is full' };
      },
    },
  });
  press('[data-key="OPENAI_API_KEY"]');
  await settle();
  press('[name="place"][value="file"]');
  type('#passphrase', 'word');
  type('#passphrase-again', 'word');
  type('#key-value', 'canary-2');
  press('[type="submit"][form="key-form"]');
  await settle();
  expect(document.querySelector('#key-form')?.textContent).toContain('the disk is full');
  expect(calls).toEqual(['unlock', 'set']);
  expect(document.querySelector<HTMLInputElement>('#key-value')?.value).toBe('');
});

it('a new passphrase is typed twice, and one that is there is not', async () => {
  const keys_unlock = vi.fn(() => null);
  const key_set = vi.fn(() => ({ name: 'OPENAI_API_KEY', place: 'file' as const, environment_wins: false }));
  await open({ answers: { keys_unlock, key_set } });
  press('[data-key="OPENAI_API_KEY"]');
  await settle();
  press('[name="place"][value="file"]');
  type('#key-value', 'canary-3');
  type('#passphrase', 'word');
  type('#passphrase-again', 'wrod');
  press('[type="submit"][form="key-form"]');
  await settle();
  expect(document.querySelector('#key-form [role="alert"]')?.textContent).toContain('do not match');
  expect(keys_unlock).not.toHaveBeenCalled();
  // Nothing is lost by the slip.
  expect(document.querySelector<HTMLInputElement>('#key-value')?.value).toBe('canary-3');
  type('#passphrase-again', 'word');
  press('[type="submit"][form="key-form"]');
  await settle();
  expect(keys_unlock).toHaveBeenCalledExactlyOnceWith({ passphrase: 'word' });
  if (shown) await unmount(shown);
  await open({ answers: { keys_list: () => ({ ...VIEW, file: 'locked' }), keys_unlock, key_set } });
  press('[data-key="OPENAI_API_KEY"]');
  await settle();
  press('[name="place"][value="file"]');
  expect(document.querySelector('#passphrase')).not.toBeNull();
  expect(document.querySelector('#passphrase-again')).toBeNull();
});

it('a key is removed from where it is', async () => {
  const key_delete = vi.fn(() => ({ name: 'TMAP_APP_KEY', place: 'session' as const, environment_wins: false }));
  await open({ answers: { key_delete } });
  await services();
  press('[data-key="TMAP_APP_KEY"]');
  await settle();
  press('footer .danger');
  await settle();
  expect(key_delete).toHaveBeenCalledExactlyOnceWith({ name: 'TMAP_APP_KEY', place: 'session' });
});

it('a file of keys is shown by names before anything is stored', async () => {
  const keys_import = vi.fn(() => ({ known: [], unknown: [], refused: [] }));
  await open({
    host: { pick: async () => ['/tmp/.env'] },
    answers: {
      keys_preview: () => ({ known: ['OPENAI_API_KEY'], unknown: ['PATH'], refused: ['line 3 is not NAME=value'] }),
      keys_import,
    },
  });
  press('#import-keys');
  await settle();
  expect(document.querySelector('#import-form')?.textContent).toContain('PATH');
  press('[type="submit"][form="import-form"]');
  await settle();
  expect(keys_import).toHaveBeenCalledExactlyOnceWith({ path: '/tmp/.env', place: 'session' });
});

it('a server’s own key stands beside its connection and its address', async () => {
  const own = {
    name: 'OPENAI_COMPAT_API_KEY@http://gpu1:8000/v1',
    asked_by: 'lab',
    is_key: true,
    present: true,
    source: 'file',
  };
  await open({ answers: { keys_list: () => ({ ...VIEW, keys: [...VIEW.keys, own as KeysView['keys'][number]] }) } });
  const row = document.querySelector<HTMLElement>('[data-provider="lab"]');
  expect(row?.textContent).toContain('http://gpu1:8000/v1');
  expect(row?.querySelector(`[data-key="${own.name}"]`)).not.toBeNull();
});
