import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import DataTable from './DataTable.svelte';
import { locale } from './locale.svelte';
import { type Column, parseSort, type Sort, sortWord } from './table/columns';

interface Row {
  id: string;
  name: string;
  score: number | null;
}

const COLUMNS: Column<Row>[] = [
  { id: 'name', header: 'Name', value: (row) => row.name, width: 200, grow: 1, fixed: true },
  {
    id: 'score',
    header: 'Score',
    value: (row) => row.score,
    why: (row) => (row.score === null ? 'nobody judged' : undefined),
    width: 80,
    numeric: true,
  },
];
const ROWS: Row[] = [
  { id: 'a', name: '모델 10', score: 0.5 },
  { id: 'b', name: '모델 9', score: null },
  { id: 'c', name: 'model 사과', score: 0.9 },
];
const MANY: Row[] = Array.from({ length: 10_000 }, (_, at) => ({ id: `r${at}`, name: `row ${at}`, score: at }));

let mounted: ReturnType<typeof mount> | undefined;
let props: {
  rows: Row[];
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  name: string;
  label: string;
  search: string;
  sort: Sort | null;
  hidden: string[];
  selected: string[] | undefined;
  onOpen: (row: Row) => void;
};

beforeEach(() => {
  locale.choose('en');
  localStorage.clear();
});
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
});

function show(changed: Partial<typeof props> = {}): void {
  props = {
    rows: ROWS,
    columns: COLUMNS,
    rowId: (row) => row.id,
    name: 'models',
    label: 'Models',
    search: '',
    sort: null,
    hidden: [],
    selected: undefined,
    onOpen: () => undefined,
    ...changed,
  };
  mounted = mount(DataTable<Row>, { target: document.body, props });
  flushSync();
}

const grid = () => document.querySelector<HTMLElement>('[role="grid"]')!;
const shown = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset['row']);
const current = () =>
  document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.dataset['row'] ?? null;

function press(key: string, init: KeyboardEventInit = {}): void {
  grid().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
  flushSync();
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
  flushSync();
}

describe('sorting', () => {
  const header = '[role="columnheader"]:last-child button';

  it('goes down, up and back to the order given, and keeps what has no value at the end', () => {
    show();
    expect(shown()).toEqual(['a', 'b', 'c']);
    click(header);
    expect(shown()).toEqual(['c', 'a', 'b']);
    expect(document.querySelector('[aria-sort]')?.getAttribute('aria-sort')).toBe('descending');
    click(header);
    expect(shown()).toEqual(['a', 'c', 'b']);
    click(header);
    expect(shown()).toEqual(['a', 'b', 'c']);
    expect(document.querySelector('[aria-sort]')).toBeNull();
  });

  it('puts numbers within names in their order', () => {
    show({ sort: { column: 'name', down: false }, rows: ROWS.slice(0, 2) });
    expect(shown()).toEqual(['b', 'a']);
  });

  it('survives an address', () => {
    for (const sort of [null, { column: 'date', down: true }, { column: 'date', down: false }]) {
      expect(parseSort(sortWord(sort))).toEqual(sort);
    }
  });
});

it('a search finds every word in any column, however Hangul is composed', () => {
  show({ search: '사과'.normalize('NFD') + ' 0.9' });
  expect(shown()).toEqual(['c']);
  expect(document.querySelector('[role="status"]')?.textContent?.trim()).toBe('1 of 3');
});

it('a search without a find says so', () => {
  show({ search: 'nothing like it' });
  expect(grid().parentElement?.textContent).toContain('No matches.');
});

it('a missing value is a dash with its reason, for every reader', () => {
  show();
  const cell = document.querySelector('[data-row="b"] [data-column="score"]');
  expect(cell?.textContent).toMatch(/—\s*nobody judged/);
  expect(cell?.getAttribute('title')).toBe('nobody judged');
});

describe('columns', () => {
  const template = () => grid().style.getPropertyValue('--columns');
  const heading = (column: string) => document.querySelector<HTMLElement>(`[data-heading="${column}"]`)!;
  const widen = (column: string, key = 'ArrowRight') => {
    const init = { key, shiftKey: true, bubbles: true, cancelable: true };
    heading(column).querySelector('button')?.dispatchEvent(new KeyboardEvent('keydown', init));
    flushSync();
  };

  it('have another width by keys, which the browser remembers for this table alone', async () => {
    show();
    expect(template()).toBe('minmax(200px, 1fr) 80px');
    heading('name').getBoundingClientRect = () => new DOMRect(0, 0, 200, 28);
    widen('name');
    expect(template()).toBe('216px 80px');
    if (mounted) await unmount(mounted);
    show({ name: 'other' });
    expect(template()).toBe('minmax(200px, 1fr) 80px');
    if (mounted) await unmount(mounted);
    show();
    expect(template()).toBe('216px 80px');
    heading('name')
      .querySelector('[data-grip]')
      ?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    flushSync();
    expect(template()).toBe('minmax(200px, 1fr) 80px');
    expect(localStorage.length).toBe(0);
  });

  it('that are pinned stand first and stay in view, until they are reset', () => {
    const columns = [COLUMNS[0]!, { ...COLUMNS[1]!, id: 'cost', header: 'Cost' }, COLUMNS[1]!];
    show({ columns });
    click('[data-columns] > button');
    click('[data-pin="score"]');
    const order = () =>
      [...document.querySelectorAll<HTMLElement>('[data-heading]')].map((one) => one.dataset['heading']);
    expect(order()).toEqual(['name', 'score', 'cost']);
    expect(document.querySelector('[data-row="a"] [data-column="score"]')?.className).toBe('number pinned');
    click('[data-reset-columns]');
    expect(order()).toEqual(['name', 'cost', 'score']);
  });

  it('are as the screen says where what was kept is damaged', () => {
    localStorage.setItem('koab.table.models', '{"widths": {"name": "wide", "score": 3}, "pinned": 7}');
    show();
    expect(template()).toBe('minmax(200px, 1fr) 80px');
  });
});

it('is copied as text: every row that is found, in its order', async () => {
  const write = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: write } });
  show({ sort: { column: 'score', down: true }, search: '모델' });
  click('[data-copy-table]');
  await vi.waitFor(() => expect(document.querySelector('[data-copy-as="markdown"]')).not.toBeNull());
  document.querySelector<HTMLElement>('[data-copy-as="markdown"]')?.click();
  await vi.waitFor(() => expect(write).toHaveBeenCalled());
  expect(write).toHaveBeenCalledWith('| Name | Score |\n| --- | ---: |\n| 모델 10 | 0.5 |\n| 모델 9 | — |\n');
  vi.unstubAllGlobals();
});

describe('keys', () => {
  it('move between rows and open one', () => {
    const onOpen = vi.fn();
    show({ onOpen });
    press('ArrowDown');
    press('j');
    press('j');
    press('k');
    expect(current()).toBe('b');
    press('Enter');
    expect(onOpen).toHaveBeenCalledWith(ROWS[1]);
    press('End');
    expect(current()).toBe('c');
    press('Home');
    expect(current()).toBe('a');
  });

  it('of a Hangul composition or with a modifier are left alone', () => {
    show();
    press('ArrowDown', { isComposing: true });
    press('ArrowDown', { ctrlKey: true });
    expect(current()).toBeNull();
    press('ArrowDown');
    expect(current()).toBe('a');
  });

  it('tick rows where rows can be ticked', () => {
    show({ selected: [] });
    press('ArrowDown');
    press(' ');
    expect(document.querySelector('[data-row="a"]')?.getAttribute('aria-selected')).toBe('true');
    press(' ');
    expect(document.querySelector('[data-row="a"]')?.getAttribute('aria-selected')).toBe('false');
  });
});

it.each([
  [['b'], ['b', 'a']],
  [['b', 'a'], ['b']],
])('ticking all turns %j into %j where a search hides b', (before, after) => {
  let ticked = before;
  const props = {
    rows: ROWS,
    columns: COLUMNS,
    rowId: (row: Row) => row.id,
    name: 'models',
    label: 'Models',
    search: '모델 10',
    get selected() {
      return ticked;
    },
    set selected(now: string[]) {
      ticked = now;
    },
  };
  mounted = mount(DataTable<Row>, { target: document.body, props });
  flushSync();
  click('[role="columnheader"] input');
  expect(ticked).toEqual(after);
});

it('Shift ticks every row from the last one that was ticked, or takes their ticks away', () => {
  show({ selected: [], rows: MANY.slice(0, 6) });
  const box = (row: string) => document.querySelector<HTMLInputElement>(`[data-row="${row}"] input`);
  const press = (row: string, shiftKey = false) => {
    box(row)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
    flushSync();
  };
  const ticked = () =>
    [...document.querySelectorAll<HTMLElement>('[data-row][aria-selected="true"]')].map(
      ({ dataset }) => dataset['row'],
    );
  press('r1', true);
  expect(ticked()).toEqual(['r1']);
  press('r4', true);
  expect(ticked()).toEqual(['r1', 'r2', 'r3', 'r4']);
  press('r3');
  press('r2', true);
  expect(ticked()).toEqual(['r1', 'r4']);
  expect(box('r1')?.checked).toBe(true);
  expect(box('r2')?.checked).toBe(false);
});

it('a column can be hidden, but not the one that names the row', () => {
  show();
  click('[data-columns] > button');
  expect(document.querySelectorAll('[data-columns] label')).toHaveLength(1);
  click('[data-columns] input');
  expect([...document.querySelectorAll('[role="columnheader"]')].map((one) => one.textContent?.trim())).toEqual([
    'Name',
  ]);
});

it('ten thousand rows are a few in the page, and all of them to assistive technology', () => {
  show({ rows: MANY });
  expect(shown().length).toBeLessThan(60);
  expect(grid().getAttribute('aria-rowcount')).toBe('10001');
});
