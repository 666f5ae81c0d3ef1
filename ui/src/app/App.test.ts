import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFake, type FakeOptions } from '../platform/fake';
import type { Platform } from '../platform/types';
import { locale } from '../shared/locale.svelte';
import App from './App.svelte';
// Fetched by the app when it is needed; here before, so that no test waits for it.
import './CloseDialog.svelte';

let app: ReturnType<typeof mount> | undefined;

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  vi.useFakeTimers();
});

afterEach(async () => {
  if (app) await unmount(app);
  app = undefined;
  vi.useRealTimers();
});

async function open(platform: Platform): Promise<void> {
  app = mount(App, { target: document.body, props: { platform } });
  await settle(0);
}

/** Lets `ms` of the host's time pass, and everything that follows from it. */
async function settle(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
}

async function reload(platform: Platform): Promise<void> {
  if (app) await unmount(app);
  await open(platform);
}

const fake = (options?: FakeOptions) => createFake({ pace: 10, batch: 10, ...options });
const text = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? '';
const click = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const cells = (state: string) => document.querySelectorAll(`[data-state="${state}"]`).length;

describe('a run', () => {
  it('goes from one click to the score table', async () => {
    await open(fake());
    expect(text('#results h2')).toBe('No run yet');
    click('#run');
    await settle(60);
    expect(text('#results h2')).toBe('Running');
    expect(document.querySelector('#run')?.hasAttribute('disabled')).toBe(true);
    await settle(5_000);
    expect(cells('done') + cells('failed') + cells('unanswered')).toBe(41);
    expect(document.querySelectorAll('#report-table tbody')).toHaveLength(7);
    expect(text('[data-level="L1"] [data-metric="ToolAcc"] .mean')).toBe('1.0000');
    expect(text('[data-level="L1"] [data-metric="SR"] .why')).toBe('no judge was asked');
    expect(document.querySelectorAll('[data-run]')).toHaveLength(1);
  });

  it('can be cancelled, and what was done is scored', async () => {
    await open(fake());
    click('#run');
    await settle(80);
    click('#cancel');
    await settle(1_000);
    expect(document.body.textContent).toContain('everything so far is kept');
    expect(document.querySelector('#report-table')).not.toBeNull();
  });

  it('looks the same after a reload, during and after it', async () => {
    const host = fake();
    await open(host);
    click('#run');
    await settle(60);
    const before = cells('done');
    await reload(host);
    expect(text('#results h2')).toBe('Running');
    expect(cells('done')).toBe(before);
    await settle(5_000);
    const table = text('#report-table');
    await reload(host);
    await settle(100);
    expect(text('#report-table')).toBe(table);
    expect(cells('waiting')).toBe(0);
  });

  it('that does not begin says why and leaves the form usable', async () => {
    const error = { code: 'model_unreachable', message: 'nothing answers there' } as const;
    await open(fake({ failing: { run_start: error } }));
    click('#run');
    await settle(50);
    expect(text('[role="alert"]')).toContain('nothing answers there');
    expect(text('[role="alert"]')).toContain('Check that the model’s server runs');
    expect(text('#run')).toBe('Run L1–L7');
  });
});

describe('earlier runs', () => {
  it('open with their report', async () => {
    const host = fake();
    await open(host);
    click('#run');
    await settle(5_000);
    sessionStorage.clear();
    await reload(host);
    expect(text('#results h2')).toBe('No run yet');
    click('[data-run]');
    await settle(10);
    expect(document.querySelectorAll('#report-table tbody')).toHaveLength(7);
  });
});

it('a workspace that cannot be opened is one sentence and a next step', async () => {
  const error = { code: 'storage', message: 'the folder /x cannot be written' } as const;
  await open(fake({ failing: { app_info: error } }));
  expect(text('[role="alert"]')).toContain('the folder /x cannot be written');
  expect(text('[role="alert"]')).toContain('Make room');
});

it('an empty workspace says how to get a pack', async () => {
  const host = fake();
  await open({ ...host, call: async (command, args) => (command === 'packs_list' ? [] : host.call(command, args)) });
  expect(text('form')).toContain('koab pack import');
  expect(document.querySelector('#run')?.hasAttribute('disabled')).toBe(true);
});

it('the language can be switched and stays switched', async () => {
  const host = fake();
  await open(host);
  locale.choose('ko');
  flushSync();
  expect(text('#run')).toBe('L1–L7 실행');
  await reload(host);
  expect(text('#run')).toBe('L1–L7 실행');
  expect(document.documentElement.lang).toBe('ko');
});

describe('closing the window', () => {
  it('asks during a run and only then', async () => {
    let mayClose = () => true;
    const host: Platform = {
      ...fake(),
      onCloseRequested: async (ask) => {
        mayClose = ask;
        return () => undefined;
      },
    };
    await open(host);
    expect(mayClose()).toBe(true);
    click('#run');
    await settle(30);
    expect(mayClose()).toBe(false);
    await settle(10);
    expect(text('[role="alertdialog"]')).toContain('A run is in progress');
    expect(document.activeElement?.textContent).toBe('Keep running');
    click('[data-answer="cancel"]');
    await settle(0);
    expect(document.querySelector('[role="alertdialog"]')).toBeNull();
  });
});
