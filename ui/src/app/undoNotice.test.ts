import { afterEach, expect, it, vi } from 'vitest';
import type { Commands } from '../ipc/gen';
import { deletions } from '../shared/deletions.svelte';
import { find, openScreen, screensForTests, settle, text } from '../shared/screenForTests';
import UndoNotice from './UndoNotice.svelte';

screensForTests();
afterEach(deletions.close);

type Restore = (args: Commands['trash_restore']['args']) => string;
const restored = vi.fn<Restore>(({ key }) => key);
const open = (trash_restore: Restore = restored) => openScreen(UndoNotice, { answers: { trash_restore } });
const moved = (key: string, unremoved: string[] = []) => ({ key, unremoved });

it('names one deletion and counts several by their kind', async () => {
  deletions.note('run', 'gpt, 2026-11-20', moved('a/1~1'));
  await open();
  expect(text()).toContain('Run moved to trash: gpt, 2026-11-20.');
  deletions.note('report', 'gpt', moved('r~1'));
  deletions.note('report', 'qwen', moved('q~1'));
  await settle();
  expect(text()).toContain('Moved to trash: 1 run, 2 reports.');
  expect(find('a[href="#/trash"]')).not.toBeNull();
});

it('brings all back, the last deleted first', async () => {
  restored.mockClear();
  deletions.note('run', 'a', moved('a/1~1'));
  deletions.note('pack', 'b', moved('b~2'));
  await open();
  find('#undo-delete')?.click();
  await settle();
  expect(restored.mock.calls.map(([args]) => args)).toEqual([
    { kind: 'pack', key: 'b~2' },
    { kind: 'run', key: 'a/1~1' },
  ]);
  expect(deletions.all).toEqual([]);
});

it('keeps what could not come back, and says why', async () => {
  deletions.note('run', 'a', moved('a/1~1'));
  deletions.note('run', 'b', moved('b/1~1'));
  await open((args) => {
    if (args.key === 'a/1~1') throw { code: 'bad_request', message: 'there is another by now' } as unknown as Error;
    return args.key;
  });
  find('#undo-delete')?.click();
  await settle();
  expect(deletions.all.map(({ key }) => key)).toEqual(['a/1~1']);
  expect(find('[role="alert"]')?.textContent).toContain('there is another by now');
});

it('stays a minute after the last deletion, or until it is closed', async () => {
  deletions.note('run', 'a', moved('a/1~1'));
  vi.advanceTimersByTime(50_000);
  deletions.note('run', 'b', moved('b/1~1'));
  vi.advanceTimersByTime(59_000);
  expect(deletions.all).toHaveLength(2);
  vi.advanceTimersByTime(2_000);
  expect(deletions.all).toHaveLength(0);
  deletions.note('run', 'a', moved('a/1~1'));
  await open();
  find('#undo-close')?.click();
  expect(deletions.all).toHaveLength(0);
});

it('says what could not be removed after its days', async () => {
  deletions.note('run', 'a', moved('a/1~1', ['`x` cannot be removed']));
  await open();
  expect(text()).toContain('`x` cannot be removed');
});
