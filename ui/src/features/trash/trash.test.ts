import type { Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { TrashItem } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { deletions } from '../../shared/deletions.svelte';
import { at } from '../../shared/route.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../shared/screenForTests';
import Screen from './Screen.svelte';

screensForTests();

const item = (kind: TrashItem['kind'], id: string, more: Partial<TrashItem> = {}): TrashItem => ({
  ...{ kind, id, key: `${id}~1764547200`, name: null, model: 'gpt', deleted_ms: 1_764_547_200_000, bytes: 2_500_000 },
  overdue: false,
  ...more,
});
const ALL = [
  item('run', 'gpt/20251219_113310'),
  item('report', 'gpt_20251219'),
  item('pack', 'mine', { model: null, name: 'My pack' }),
  item('fork', 'old', { key: 'old', deleted_ms: null, name: '갈래' }),
];

async function open(items: TrashItem[], address = at('trash'), more: FakeOptions['answers'] = {}) {
  const answers = { trash_list: () => ({ items, days: 30 }), ...more };
  await openScreen(Screen as Component<never>, { at: address, answers });
}
const rows = () => document.querySelectorAll('[data-restore]').length;

it('an empty trash says so', async () => {
  await open([]);
  expect(find('[data-trash-empty]')?.textContent).toBe('The trash is empty.');
  expect(find('#trash-empty')).toBeNull();
});

it('lists what was deleted with its kind, time and size', async () => {
  await open(ALL);
  expect(rows()).toBe(4);
  for (const words of ['My pack', '갈래', '2.5 MB', 'Report', '10.0 MB in total', 'for 30 days']) {
    expect(text()).toContain(words);
  }
});

it('one kind alone is shown where the address asks for it', async () => {
  await open(ALL, at('trash', { kind: 'report' }));
  expect(rows()).toBe(1);
});

it('a thing comes back, and says where it is', async () => {
  const trash_restore = vi.fn(() => 'gpt/20251219_113310');
  await open(ALL, at('trash', { kind: 'run' }), { trash_restore });
  deletions.note('run', 'gpt', { key: 'gpt/20251219_113310~1764547200', unremoved: [] });
  find('[data-restore]')?.click();
  await settle();
  expect(trash_restore).toHaveBeenCalledWith({ kind: 'run', key: 'gpt/20251219_113310~1764547200' });
  expect(find('[data-restored] a')?.getAttribute('href')).toBe(at('runs', 'gpt/20251219_113310'));
  expect(deletions.all).toEqual([]);
});

it('is removed for good after a question alone', async () => {
  const trash_delete = vi.fn(() => null);
  await open(ALL, at('trash', { kind: 'pack' }), { trash_delete });
  find('[data-remove]')?.click();
  await settle();
  expect(find('[role="alertdialog"]')?.textContent).toContain('This cannot be undone.');
  expect(trash_delete).not.toHaveBeenCalled();
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(trash_delete).toHaveBeenCalledWith({ kind: 'pack', key: 'mine~1764547200' });
  expect(find('[role="alertdialog"]')).toBeNull();
});

it('is emptied after a question, and what stays is said', async () => {
  const trash_empty = vi.fn(() => ({ removed: 3, unremoved: ['`x` cannot be deleted'] }));
  await open(ALL, at('trash'), { trash_empty });
  find('#trash-empty')?.click();
  await settle();
  expect(find('[role="alertdialog"]')?.textContent).toContain('all 4 for good (10.0 MB)');
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(trash_empty).toHaveBeenCalledOnce();
  expect(text()).toContain('`x` cannot be deleted');
});
