import { expect, it, vi } from 'vitest';
import type { PackView, SnapshotDiff, SnapshotView } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { PACKS } from '../../platform/fakeData';
import { at } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import Screen from './Screen.svelte';

screensForTests();

function view(): PackView {
  const [summary] = PACKS;
  if (!summary) throw new Error('no pack');
  const records = { kept: 96, current: 90, stale: 6, orphan: 0, answering: 80, left_out: 2 };
  return { summary, source: 'made up', imported_at: '2026-11-20T00:00:00Z', records, problems: [], flags: 0 };
}

const SNAPSHOT: SnapshotView = {
  name: '수정-전',
  hash: 'abcdef0123456789'.repeat(4),
  pack: 'starter',
  version: '1.0.0',
  installed: false,
  note: 'before the fix',
  created_at: '2026-11-21T08:09:10Z',
  recorded: 80,
  added: 3,
};

function open(snapshots: SnapshotView[], options: FakeOptions = {}) {
  const snapshots_list = () => ({ pack: 'starter', snapshots, recorded: 80, added: 4 });
  return openScreen(Screen, {
    at: at('packs', 'starter', { tab: 'snapshots' }),
    ...options,
    answers: { pack_view: view, snapshots_list, ...options.answers },
  });
}

const click = async (selector: string) => {
  find(selector)?.click();
  await settle();
};

it('without a snapshot it says what one is for, and makes one', async () => {
  const snapshot_create = vi.fn(() => SNAPSHOT);
  await open([], { answers: { snapshot_create } });
  expect(find('[data-empty]')).not.toBeNull();
  expect(text()).toContain('80 calls answered from the cache and 4 from saved responses');
  expect(find<HTMLButtonElement>('#snapshot-create')?.disabled).toBe(true);
  await put('#snapshot-name', ' 수정-전 ');
  await put('#snapshot-note', 'before');
  await click('#snapshot-create');
  expect(snapshot_create).toHaveBeenCalledWith({ pack: 'starter', name: '수정-전', note: 'before' });
});

it('a snapshot is shown with what it holds, exported and shared', async () => {
  const out = { path: '/home/me/koab/exports/a', records: 99, bytes: 5, pack: null, problems: [] };
  const snapshot_export = vi.fn(() => out);
  const snapshot_share = vi.fn(() => ({ ...out, pack: 'starter-a@1.0.0+abc' }));
  const opened = vi.fn(async () => {});
  await open([SNAPSHOT], { answers: { snapshot_export, snapshot_share }, host: { open: opened } });
  const row = find('[data-snapshot="수정-전"]')?.textContent ?? '';
  for (const shown of ['80', '3', 'abcdef012345', 'before the fix', 'of another installation', '2026-11-21 08:09'])
    expect(row).toContain(shown);
  await click('[data-do="export"]');
  expect(snapshot_export).toHaveBeenCalledWith({ pack: 'starter', state: '수정-전' });
  expect(text()).toContain('99 cached responses written to /home/me/koab/exports/a.');
  await click('[data-written] button');
  expect(opened).toHaveBeenCalledWith('/home/me/koab/exports');
  await click('[data-do="share"]');
  expect(snapshot_share).toHaveBeenCalledWith({ pack: 'starter', state: '수정-전', name: null });
  expect(text()).toContain('Pack starter-a@1.0.0+abc written to');
});

it('deleting asks first', async () => {
  const snapshot_delete = vi.fn(() => null);
  await open([SNAPSHOT], { answers: { snapshot_delete } });
  await click('[data-do="delete"]');
  expect(find('[role="alertdialog"]')?.textContent).toContain('Delete snapshot 수정-전?');
  expect(document.activeElement?.textContent).toBe('Cancel');
  await click('[data-answer="confirm"]');
  expect(snapshot_delete).toHaveBeenCalledWith({ name: '수정-전' });
  expect(find('[role="alertdialog"]')).toBeNull();
});

it('two states are compared with each other by tool and call', async () => {
  const state = (name: string) => ({ state: name, pack: 'starter', version: '1.0.0', hash: null });
  const diff: SnapshotDiff = {
    then: state('pack'),
    now: state('now'),
    tools: [
      { tool: 'Search_x', same: 5, added: 1, removed: 0, changed: 1 },
      { tool: 'Other_x', same: 9, added: 0, removed: 0, changed: 0 },
    ],
    differences: [
      {
        change: 'changed',
        tool: 'Search_x',
        args: '{"query": "가"}',
        then: { published_key: 'k', created_at: '2025-11-01T00:00:00.000001', origin: null },
        now: { published_key: 'k', created_at: '2026-11-20T00:00:00.000000', origin: 'run a/1' },
        places: { total: 2, shown: [{ path: 'items[0].price', then: '1', now: null }] },
      },
    ],
    total: 2,
  };
  const snapshot_diff = vi.fn(() => diff);
  await open([SNAPSHOT], { answers: { snapshot_diff } });
  await put('#diff-then', '수정-전');
  await click('#diff');
  expect(snapshot_diff).toHaveBeenCalledWith({ pack: 'starter', then: '수정-전', now: 'now', tool: null });
  expect(document.querySelectorAll('[data-diff]')).toHaveLength(1);
  const one = find('[data-change="changed"]')?.textContent ?? '';
  for (const shown of ['Search_x', '가', 'source: run a/1', 'items[0].price', 'none', 'and 1 more place'])
    expect(one).toContain(shown);
  expect(text()).toContain('1 of 2 shown');
  await put('#diff-tool', 'Search_x');
  expect(snapshot_diff).toHaveBeenLastCalledWith({ pack: 'starter', then: '수정-전', now: 'now', tool: 'Search_x' });
});

it('what does not work is said', async () => {
  const error = { code: 'storage', message: 'the disk is full' } as const;
  await open([SNAPSHOT], { failing: { snapshot_export: error, snapshot_create: { code: 'busy', message: 'taken' } } });
  await click('[data-do="export"]');
  expect(text()).toContain('the disk is full');
  await put('#snapshot-name', 'a');
  await click('#snapshot-create');
  expect(text()).toContain('taken');
});
