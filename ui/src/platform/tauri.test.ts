import { expect, it, vi } from 'vitest';

const invoke = vi.hoisted(() =>
  vi.fn((_: string, { command }: { command: string }) => Promise.resolve(`asked ${command}`)),
);
vi.mock('@tauri-apps/api/core', () => ({ invoke, isTauri: () => true, Channel: class {} }));

it('takes each answer that the shell has asked for once, and asks for what is not there', async () => {
  vi.stubGlobal('firstAnswers', Promise.resolve({ runs_list: [], settings_get: { a: 1 } }));
  const { tauriPlatform } = await import('./tauri');
  const call = (command: string, args = {}) => tauriPlatform.call(command, args);
  expect(await Promise.all([call('runs_list'), call('settings_get'), call('packs_list')])).toEqual([
    [],
    { a: 1 },
    'asked packs_list',
  ]);
  expect(await call('runs_list')).toBe('asked runs_list');
  expect(await call('settings_get', { of: 'x' })).toBe('asked settings_get');
});

it('asks itself where the shell’s answers failed', async () => {
  vi.resetModules();
  vi.stubGlobal('firstAnswers', Promise.reject(new Error('closed')));
  const { tauriPlatform } = await import('./tauri');
  expect(await tauriPlatform.call('runs_list', {})).toBe('asked runs_list');
});
