import type { Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { SnapshotView } from '../../../ipc/gen';
import { MODELS, PACKS } from '../../../platform/fakeData';
import { find, openScreen, screensForTests } from '../../../shared/screenForTests';
import { newDraft, requestsOf } from './draft';
import SnapshotField from './SnapshotField.svelte';

screensForTests();

const SNAPSHOT: SnapshotView = {
  name: 's1',
  hash: 'ab'.repeat(32),
  pack: 'starter',
  version: '1.0.0',
  installed: true,
  note: '',
  created_at: '2026-11-21T08:09:10Z',
  recorded: 80,
  added: 3,
};

const open = (snapshots: SnapshotView[]) => {
  const snapshots_list = vi.fn(() => ({ pack: 'starter', snapshots, recorded: 80, added: 3 }));
  const props = { pack: 'starter', snapshot: '' };
  return openScreen(SnapshotField as Component<never>, { props, answers: { snapshots_list } });
};

it('the form offers the snapshots of its pack, and nothing where there is none', async () => {
  await open([SNAPSHOT]);
  const options = [...document.querySelectorAll<HTMLOptionElement>('#cache-snapshot option')].map(({ value }) => value);
  expect(options).toEqual(['', 's1']);
  await open([]);
  expect(find('#cache-snapshot')).toBeNull();
});

it('the chosen snapshot goes into the request', () => {
  const draft = newDraft(PACKS, MODELS);
  expect(requestsOf(draft, MODELS, () => 'r')[0]).not.toHaveProperty('cache_snapshot');
  expect(requestsOf({ ...draft, snapshot: 's1' }, MODELS, () => 'r')[0]?.cache_snapshot).toBe('s1');
});
