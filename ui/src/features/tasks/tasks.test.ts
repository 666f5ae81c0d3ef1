import { expect, it, vi } from 'vitest';
import type { CallAnswer, TaskDetail, TaskRow } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { parametersOf } from '../../shared/calls/parameters';
import { at, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import { chosenFrom, fitting, queryOf } from './filter';
import Screen from './Screen.svelte';

screensForTests();

const row = (id: string, more: Partial<TaskRow> = {}): TaskRow => ({
  id,
  level: 'L1',
  category: 'Single Tool',
  instruction: '서울역에서 강남역까지 얼마나 걸려?',
  tools: ['Directions_naver'],
  calls: 1,
  answered: 1,
  flag: null,
  problems: 0,
  ...more,
});

const ROWS = [
  row('L1-001'),
  row('L1-002', { instruction: '오늘 날씨 알려줘', tools: ['Weather_x'], answered: 0 }),
  row('L5-001', { level: 'L5', calls: 0, answered: 0, problems: 2 }),
];

const MISS: CallAnswer = {
  kind: 'miss',
  key: 'k',
  nearest: { args: { start: '서울역', goal: '잠실역' }, differing: ['goal'] },
};

function detail(id: string, more: Partial<TaskDetail> = {}): TaskDetail {
  const call = (answer: CallAnswer) => ({
    tool: 'Directions_naver',
    args: { start: '서울역', goal: '강남역' },
    step: 1,
    answer,
  });
  return {
    pack: 'starter',
    version: '1.0.0',
    id,
    level: 'L1',
    category: 'Single Tool',
    instruction: '서울역에서 강남역까지 얼마나 걸려?',
    turns: [],
    evaluated_turn: null,
    tools: [
      {
        name: 'Directions_naver',
        part: 'offered',
        spec: {
          name: 'Directions_naver',
          description: '길찾기',
          parameters: { properties: { start: { type: 'string', description: '출발지' } }, required: ['start'] },
        },
      },
    ],
    golden: [call({ kind: 'hit', key: 'k', stale: false, recorded_at: '2025-11-01T00:00:00' }), call(MISS)],
    fallbacks: [],
    minimum_steps: 2,
    minimum_calls: null,
    injection: null,
    flag: null,
    problems: [],
    raw: { task_id: id },
    ...more,
  };
}

const open = (at: string, answers: FakeOptions['answers'] = {}) =>
  openScreen(Screen, {
    at,
    answers: {
      tasks_list: () => ({ pack: 'starter', version: '1.0.0', tasks: ROWS }),
      task_show: ({ id }) => detail(id),
      ...answers,
    },
  });

function press(key: string, code: string, more: KeyboardEventInit = {}): void {
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...more }),
  );
}

it('the list is narrowed by level and words, and the address says so', async () => {
  await open(at('tasks'));
  expect(text()).not.toContain('of 3 tasks');
  find('[data-level="L1"]')?.click();
  await settle();
  expect(text()).toContain('2 of 3 tasks');
  await put('#task-search', '날씨');
  expect(text()).toContain('1 of 3 tasks');
  expect(route.place.query).toEqual({ level: 'L1', q: '날씨' });
});

it('items without categories and golden calls leave no empty columns', async () => {
  const heads = () => [...document.querySelectorAll('[role="columnheader"]')].map(({ textContent }) => textContent);
  await open(at('tasks'));
  expect(heads().join()).toMatch(/Category.*Cached/);
  const items = [row('calldecision:1', { category: '', calls: 0, answered: 0 })];
  await open(at('tasks'), { tasks_list: () => ({ pack: 'functionchat', version: '1', tasks: items }) });
  expect(heads().join()).toContain('Instruction');
  expect(heads().join()).not.toMatch(/Category|Cached/);
});

it('words are found in ids, texts, tools and notes, also when they are typed as single letters', () => {
  const rows = [...ROWS, row('L3-001', { level: 'L3', flag: { note: '답이 둘', flagged_at: '2026-01-01T00:00:00Z' } })];
  const ids = (q: string, more = {}) => fitting(rows, { ...chosenFrom({ q }), ...more }).map(({ id }) => id);
  expect(ids('l5-001')).toEqual(['L5-001']);
  expect(ids('weather_x')).toEqual(['L1-002']);
  expect(ids('답이')).toEqual(['L3-001']);
  expect(ids('날씨'.normalize('NFD'))).toEqual(['L1-002']);
  expect(ids('', { flagged: true })).toEqual(['L3-001']);
  const chosen = chosenFrom({ pack: 'p', level: 'L2', q: 'a b', flagged: '1' });
  expect(chosenFrom(queryOf(chosen))).toEqual(chosen);
});

it('a task says which of its calls are recorded, and what the most similar recorded call is', async () => {
  const call_lookup = vi.fn(() => ({ args: {}, answer: MISS, result: { duration: 1234 } }));
  await open(at('tasks', 'L1-001'), { call_lookup });
  expect(document.querySelectorAll('[data-answer="hit"]')).toHaveLength(1);
  expect(text()).toContain('Nearest cached call');
  expect(find('tbody tr')?.textContent).toBe('goal강남역잠실역');
  expect(text()).toContain('at least 2 steps');
  find('[aria-expanded="false"]')?.click();
  await settle();
  expect(call_lookup).toHaveBeenCalledWith({
    pack: 'starter',
    tool: 'Directions_naver',
    arguments: '{"start":"서울역","goal":"강남역"}',
  });
  expect(text()).toContain('duration');
});

it('J and K go through the tasks that were found, under a Korean keyboard too, and never while composing', async () => {
  await open(at('tasks', 'L1-001', { level: 'L1' }));
  press('ㅓ', 'KeyJ', { isComposing: true });
  await settle();
  expect(route.place.rest).toEqual(['L1-001']);
  press('ㅓ', 'KeyJ');
  await settle();
  expect(find('h2')?.textContent).toBe('L1-002');
  press('j', 'KeyJ');
  await settle();
  expect(find('h2')?.textContent).toBe('L1-002');
  press('k', 'KeyK');
  await settle();
  expect(find('h2')?.textContent).toBe('L1-001');
});

it('a task is flagged with a note, and the flag can be taken away', async () => {
  let note: string | null = null;
  const flag = () => (note === null ? null : { note, flagged_at: '2026-11-20T00:00:00Z' });
  const task_flag = vi.fn((args: { note: string | null }) => {
    note = args.note;
    return flag();
  });
  await open(at('tasks', 'L1-001'), { task_flag, task_show: ({ id }) => detail(id, { flag: flag() }) });
  find('#flag')?.click();
  await settle();
  expect(find('#flag-save')?.hasAttribute('disabled')).toBe(true);
  await put('#flag-note', '답이 둘');
  find('#flag-save')?.click();
  await settle();
  expect(find('[data-flagged="L1-001"]')?.textContent).toContain('답이 둘');
  [...document.querySelectorAll('button')].find((button) => button.textContent === 'Remove flag')?.click();
  await settle();
  expect(task_flag).toHaveBeenLastCalledWith({ pack: 'starter', id: 'L1-001', note: null });
  expect(find('#flag')).not.toBeNull();
});

it('what an injected failure and a conversation mean is said', async () => {
  const turns = [
    { number: 1, role: 'user', content: '책 찾아줘', calls: [] },
    { number: 2, role: 'assistant', content: '찾았습니다', calls: [] },
    { number: 3, role: 'user', content: '더 싼 건?', calls: [] },
    { number: 4, role: 'assistant', content: '네', calls: [] },
  ];
  const injection = { tool: 'Directions_naver', error_type: 'timeout', message: 'Request timeout' };
  await open(at('tasks', 'L6-001'), { task_show: ({ id }) => detail(id, { turns, evaluated_turn: 3, injection }) });
  expect(find('[data-turn="3"]')?.textContent).toContain('The model answers after this turn');
  expect(find('[data-turn="4"]')?.textContent).toContain('Not shown to the model');
  expect(text()).toContain('Directions_naver fails with timeout');
});

it('a pack without tasks leads to the packs', async () => {
  await open(at('tasks'), {
    packs_list: () => [],
    tasks_list: () => {
      throw { code: 'no_pack', message: 'no pack is active' };
    },
  });
  expect(find('a[href="#/packs"]')).not.toBeNull();
});

it('a schema is read as rows, whatever it leaves out', () => {
  const schema = {
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 10, default: 5, description: '개수' },
      sort: { type: 'string', enum: ['a', 'b'] },
      any: {},
    },
    required: ['size'],
  };
  expect(parametersOf(schema)).toEqual([
    { name: 'size', required: true, type: 'integer 1…10 = 5', description: '개수' },
    { name: 'sort', required: false, type: 'string "a" | "b"', description: '' },
    { name: 'any', required: false, type: 'any', description: '' },
  ]);
  expect(parametersOf(null)).toEqual([]);
});
