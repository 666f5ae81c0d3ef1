import { expect, it, vi } from 'vitest';
import type { DriftRow, PackPulled, PublishedSummary, PublishedView } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { PACKS } from '../../platform/fakeData';
import { at, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import PullPack from './PullPack.svelte';
import Screen from './Screen.svelte';

screensForTests();

const REPO = 'huggingface-KREW/Ko-AgentBench';
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const summary: PublishedSummary = {
  repo: REPO,
  page: `https://huggingface.co/datasets/${REPO}`,
  revision: 'main',
  commit: COMMIT,
  licence: 'apache-2.0',
  pulled_at: '2026-11-21T10:00:00Z',
  tasks: 4,
};
const row = (standing: DriftRow['standing'], instruction: string, task: string | null): DriftRow => ({
  standing,
  level: 'L1',
  pack_level: task ? 'L1' : null,
  task,
  instruction,
  published_tools: standing === 'only_in_pack' ? null : ['A_x'],
  pack_tools: task ? ['B_x'] : null,
});
const rows = [
  row('same', '길을 알려줘', 'L1-001'),
  row('other_tools', '날씨는?', 'L1-002'),
  row('only_published', '주가는?', null),
];
const level = {
  level: 'L1',
  published: 3,
  in_pack: 2,
  same: 1,
  other_tools: 1,
  other_level: 0,
  only_published: 1,
  only_in_pack: 0,
} as const;
const view: PublishedView = {
  summary,
  levels: [{ level: 'L1', tasks: 3 }],
  problems: [],
  drift: { pack: 'starter', version: '1', levels: [level], rows },
};
const from = {
  name: REPO,
  page: summary.page,
  revision: 'main',
  commit: COMMIT,
  files: 7,
  bytes: 20_447,
  sha256: null,
};

async function open(options: FakeOptions = {}, address = at('packs')): Promise<void> {
  const [pack] = PACKS;
  if (!pack) throw new Error('no pack');
  const records = { kept: 96, current: 90, stale: 6, orphan: 0, answering: 80, left_out: 2 };
  const pack_view = () => ({
    summary: pack,
    source: 'made up',
    imported_at: '2026-11-20T00:00:00Z',
    records,
    problems: [],
    flags: 0,
  });
  await openScreen(Screen, { at: address, ...options, answers: { pack_view, ...options.answers } });
}

const openPull = (options: FakeOptions = {}) =>
  openScreen(PullPack, { at: at('packs', { import: 'new' }), ...options });

async function pull(name: string, revision = ''): Promise<void> {
  await put('#pull-from', name);
  await put('#pull-revision', revision);
  find('#pull-start')?.click();
  await settle();
}

it('nothing is fetched before somebody says so, and what is published is opened below the dialog', async () => {
  const pack_pull = vi.fn((): PackPulled => ({ kind: 'published', from, published: view }));
  await openPull({ answers: { pack_pull } });
  expect(pack_pull).not.toHaveBeenCalled();
  await pull(REPO, 'v1');
  expect(pack_pull).toHaveBeenCalledWith({ request: { from: `${REPO}@v1`, archive: false } });
  expect(find('[data-pulled="published"]')?.textContent).toContain('4 published tasks');
  expect(route.place.query).toEqual({ published: `${REPO}@${COMMIT}`, import: 'new' });
});

it('the tasks that differ are listed, of one kind where that is asked for, and lead to the task', async () => {
  await open(
    { answers: { published_list: () => [summary], published_view: () => view } },
    at('packs', { published: `${REPO}@${COMMIT}` }),
  );
  const shown = () =>
    [...document.querySelectorAll('[data-drift] tbody tr')].map((one) => one.getAttribute('data-standing'));
  expect(shown()).toEqual(['other_tools', 'only_published']);
  expect(text()).toContain('this cannot be run');
  expect([...document.querySelectorAll('[data-level="L1"] td')].map((cell) => cell.textContent)).toEqual([
    '3',
    '2',
    '1',
    '1',
    '0',
    '1',
    '0',
  ]);
  expect(document.querySelectorAll('[data-pack]')).toHaveLength(PACKS.length);
  expect(find('a[href="#/tasks/L1-002?pack=starter"]')).not.toBeNull();
  await put('#drift-standing', 'same');
  expect(shown()).toEqual(['same']);
});

it('another pack can be compared with it, and it can be taken off the list', async () => {
  const published_view = vi.fn(() => view);
  let listed = [summary];
  const published_forget = vi.fn(() => (listed = []));
  const answers = { published_list: () => listed, published_view, published_forget };
  await open({ answers }, at('packs', { published: `${REPO}@${COMMIT}` }));
  expect(published_view).toHaveBeenLastCalledWith({ repo: REPO, commit: COMMIT, pack: null });
  await put('#drift-pack', 'half');
  expect(published_view).toHaveBeenLastCalledWith({ repo: REPO, commit: COMMIT, pack: 'half' });
  find('#published-forget')?.click();
  await settle();
  expect(published_forget).toHaveBeenCalledWith({ repo: REPO, commit: COMMIT });
  expect(find('[data-published]')).toBeNull();
});

it('an archive comes as a pack and is shown; its address is sent as it is', async () => {
  const [, pack] = PACKS;
  if (!pack) throw new Error('no second pack');
  const imported = { pack, problems: [], seconds: 2 };
  const archive = { ...from, name: 'https://github.com/a/b', sha256: 'f'.repeat(64), files: 1 };
  const pack_pull = vi.fn((): PackPulled => ({ kind: 'pack', from: archive, imported }));
  await openPull({ answers: { pack_pull } });
  const other = find<HTMLInputElement>('input[value="archive"]');
  other?.click();
  await settle();
  await pull('https://github.com/a/b', 'main');
  expect(pack_pull).toHaveBeenCalledWith({ request: { from: 'https://github.com/a/b@main', archive: true } });
  expect(find('[data-pulled="pack"]')?.textContent).toContain(COMMIT);
  expect(route.place.rest).toEqual([pack.name]);
});

it('a refusal says why', async () => {
  const error = { code: 'no_access', message: 'some/gated is given out only to those who accepted its terms' } as const;
  await openPull({ failing: { pack_pull: error } });
  await pull('some/gated');
  expect(text()).toContain('accepted its terms');
  expect(find<HTMLButtonElement>('#pull-start')?.disabled).toBe(false);
});
