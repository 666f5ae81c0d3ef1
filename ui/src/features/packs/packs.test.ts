import { expect, it, vi } from 'vitest';
import type { Fault, PackView } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { PACKS } from '../../platform/fakeData';
import { findingForTests } from '../../shared/findingForTests';
import { at, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import { argumentsText } from './arguments';
import Screen from './Screen.svelte';

screensForTests();

const problem = findingForTests<Fault>({
  code: 'form',
  file: 'tasks/L5.json',
  task: 'L5-016',
  field: 'golden_action[1].args.size',
  sentence: 'must be a number',
});

function view(name: string): PackView {
  const summary = PACKS.find((pack) => pack.name === name) ?? PACKS[0];
  if (!summary) throw new Error('no pack');
  const records = { kept: 96, current: 90, stale: 6, orphan: 0, answering: 80, left_out: 2 };
  return { summary, source: 'made up', imported_at: '2026-11-20T00:00:00Z', records, problems: [problem], flags: 1 };
}

const open = (at: string, options: FakeOptions = {}) =>
  openScreen(Screen, { at, ...options, answers: { pack_view: ({ name }) => view(name), ...options.answers } });

it('packs are listed, the active one is shown, and problems name file, task and field', async () => {
  await open(at('packs'));
  expect(document.querySelectorAll('[data-pack]')).toHaveLength(2);
  expect(find('[data-pack="starter"]')?.textContent).toContain('active');
  expect(find('a[href="#/tasks?pack=starter&flagged=1"]')?.textContent).toBe('1');
  find('[data-tab="problems"]')?.click();
  await settle();
  const cells = [...document.querySelectorAll('[data-findings] tbody td')].map((cell) => cell.textContent);
  expect(cells.map((cell) => cell?.trim())).toEqual([
    'excluded',
    'tasks/L5.json › L5-016 › golden_action[1].args.size',
    'must be a number',
  ]);
  expect(route.place.query).toEqual({ tab: 'problems' });
});

it('another pack is used for runs', async () => {
  const pack_use = vi.fn(() => null);
  await open(at('packs', 'half'), { answers: { pack_use } });
  find('#pack-use')?.click();
  await settle();
  expect(pack_use).toHaveBeenCalledWith({ name: 'half' });
});

it('removing asks first, says what goes along, and stays when it fails', async () => {
  const removal = { tasks: 41, records: 96, runs: 3, flags: 1, versions: 0, snapshots: 2, active: null, starter: true };
  const error = { code: 'busy', message: 'a run is under way' } as const;
  const answers = { pack_removal: () => removal };
  await open(at('packs'), { answers, failing: { pack_remove: error } });
  find('#pack-remove')?.click();
  await settle();
  const dialog = find('[role="alertdialog"]');
  expect(dialog?.textContent).toContain('with 41 tasks and 96 cached responses');
  expect(dialog?.textContent).toContain('3 runs of this pack');
  expect(dialog?.textContent).toContain('2 snapshots of it');
  expect(document.activeElement?.textContent).toBe('Cancel');
  find('[data-answer="confirm"]')?.click();
  await settle();
  expect(find('[role="alertdialog"]')?.textContent).toContain('a run is under way');
  find('[data-answer="cancel"]')?.click();
  await settle();
  expect(find('[role="alertdialog"]')).toBeNull();
});

it('a call is looked up as it was written', async () => {
  const parameters = { properties: { query: { type: 'string' }, size: { type: 'integer' } }, required: ['query'] };
  const answer = { kind: 'hit', key: 'k', stale: true, recorded_at: '2025-11-01T00:00:00' } as const;
  const call_lookup = vi.fn(() => ({ args: {}, answer, result: { found: 7 } }));
  const tool_records = () => [{ tool: 'Search_x', records: 9, current: 8, stale: 1, orphan: 0, answering: 9 }];
  const pack_tools = () => [{ name: 'Search_x', description: '찾기', parameters }];
  await open(at('packs', 'starter', { tab: 'cache' }), { answers: { call_lookup, tool_records, pack_tools } });
  expect(find('[data-tool="Search_x"]')?.textContent).toContain('9');
  await put('input[name="query"]', '1');
  await put('input[name="size"]', '5');
  find('#lookup')?.click();
  await settle();
  expect(call_lookup).toHaveBeenCalledWith({ pack: 'starter', tool: 'Search_x', arguments: '{"query":"1","size":5}' });
  expect(find('[data-answer="stale"]')).not.toBeNull();
  expect(text()).toContain('found');
});

it('without a pack the starter pack can be brought back', async () => {
  const pack_starter = vi.fn(() => view('starter').summary);
  await open(at('packs'), { answers: { packs_list: () => [], pack_starter } });
  expect(text()).toContain('No pack installed');
  expect(find('a[href="#/packs?import=new"]')).not.toBeNull();
  find('#pack-starter')?.click();
  await settle();
  expect(pack_starter).toHaveBeenCalledTimes(1);
});

it('fields become the JSON that a model would write', () => {
  const schema = {
    properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean' }, d: { type: 'array' } },
  };
  expect(argumentsText(schema, { a: '05', b: '1.5', c: 'true', d: '[1]' })).toBe('{"a":"05","b":1.5,"c":true,"d":[1]}');
  expect(argumentsText(schema, { a: '', b: '한 개' })).toBe('{"b":"한 개"}');
});

it('a pack of another benchmark has its items by group, and nothing that needs tasks', async () => {
  const other = {
    ...PACKS[0]!,
    name: 'bfcl',
    title: 'BFCL v4, single turn',
    active: false,
    sample: false,
    levels: [],
    tools: null,
    records: null,
    kind: 'bfcl',
    groups: [
      { group: ['non_live', 'multiple'], items: 200 },
      { group: ['live', 'live_simple'], items: 258 },
    ],
  };
  const answers = { packs_list: () => [...PACKS, other], pack_view: () => ({ ...view('half'), summary: other }) };
  await open(at('packs', 'bfcl'), { answers });
  const cells = [...document.querySelectorAll('[data-pack="bfcl"] td')].map((cell) => cell.textContent);
  expect(cells.slice(1)).toEqual(['458', '—', '—']);
  expect(text()).toContain('live / live_simple');
  expect(text()).toContain('scored on the command line');
  expect(find('#pack-use')).toBeNull();
  expect(document.querySelectorAll('[data-tab]')).toHaveLength(2);
});
