// The search with filters, by keyboard and by mouse.
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { violations } from '../axeForTests';
import { locale } from '../locale.svelte';
import { settle } from '../settleForTests';
import type { FilterField } from './filters';
import FilterSearch from './FilterSearch.svelte';

const ROWS = [
  { model: 'azure/gpt-4o', date: '20251219' },
  { model: 'azure/gpt-5', date: '20251220' },
  { model: 'lab/qwen3', date: '20251221' },
];
type Row = (typeof ROWS)[number];
const FIELDS: FilterField<Row>[] = [
  { key: 'model', name: 'model', of: ({ model }) => [model] },
  { key: 'from', name: 'date', sign: '>=', of: ({ date }) => [date] },
];

const now = $state<{ filters: Record<string, string> }>({ filters: {} });
let mounted: ReturnType<typeof mount> | undefined;

async function open(filters: Record<string, string> = {}): Promise<void> {
  now.filters = filters;
  const props = {
    label: 'Search',
    fields: FIELDS,
    rows: (words: string) => ROWS.filter(({ model }) => model.includes(words)),
    get filters() {
      return now.filters;
    },
    onChange: (change: Record<string, string>) => (now.filters = { ...now.filters, ...change }),
  };
  mounted = mount(FilterSearch<Row>, { target: document.body, props });
  await settle();
}

beforeEach(() => {
  locale.choose('en');
  vi.useFakeTimers();
});
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
  vi.useRealTimers();
});

const field = () => document.querySelector<HTMLInputElement>('[role="combobox"]')!;
const options = () =>
  [...document.querySelectorAll<HTMLElement>('[role="option"]')].map(({ dataset }) => dataset['value']);
const chips = () =>
  [...document.querySelectorAll<HTMLElement>('[data-filter] > [title]:first-child')].map((one) => one.title);
const set = () => Object.fromEntries(Object.entries(now.filters).filter(([, value]) => value !== ''));

async function type(text: string): Promise<void> {
  field().focus();
  field().value = text;
  field().dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
}
async function press(key: string, target: Element | null = document.activeElement): Promise<void> {
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await settle();
}

describe('from the keyboard', () => {
  it('a field is chosen, then a value of it', async () => {
    await open();
    field().focus();
    await settle();
    expect(options()).toEqual(['model', 'from']);
    await press('ArrowDown');
    await press('Enter');
    expect([field().value, options()]).toEqual([
      'model:',
      ['model=azure/gpt-4o', 'model=azure/gpt-5', 'model=lab/qwen3'],
    ]);
    await press('ArrowUp');
    await press('Enter');
    expect([set(), chips(), field().value]).toEqual([{ model: 'lab/qwen3' }, ['model: lab/qwen3'], '']);
    expect(document.querySelector('[role="status"]')?.textContent).toBe('Filter set: model: lab/qwen3');
  });

  it('free words are searched as they are typed, and Enter leaves them', async () => {
    await open();
    await type('gpt');
    expect(set()).toEqual({ q: 'gpt' });
    await press('Enter');
    expect([set(), field().value]).toEqual([{ q: 'gpt' }, 'gpt']);
    await type('gpt model:gpt-5');
    expect(set()).toEqual({ q: 'gpt' });
    await press('Enter');
    expect([set(), field().value.trim()]).toEqual([{ q: 'gpt', model: 'azure/gpt-5' }, 'gpt']);
  });

  it('Backspace in the empty field removes the last filter, Delete the one in focus', async () => {
    await open({ model: 'azure/gpt-5', from: '2025-12-20' });
    expect(chips()).toEqual(['model: azure/gpt-5', 'date ≥ 2025-12-20']);
    field().focus();
    await press('ArrowLeft');
    await press('ArrowLeft');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Change filter model: azure/gpt-5');
    await press('Delete');
    expect(set()).toEqual({ from: '2025-12-20' });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Change filter date ≥ 2025-12-20');
    await press('ArrowRight');
    expect(document.activeElement).toBe(field());
    await press('Backspace');
    expect([set(), document.activeElement]).toEqual([{}, field()]);
  });

  it('a day is chosen in a field for dates, and Escape takes it back', async () => {
    await open();
    await type('date');
    await press('ArrowDown');
    await press('Enter');
    const day = () => document.querySelector<HTMLInputElement>('[data-day="from"]')!;
    expect(document.activeElement).toBe(day());
    const choose = (text: string) => {
      day().value = text;
      day().dispatchEvent(new Event('change', { bubbles: true }));
      flushSync();
    };
    choose('2025-02-30');
    expect(set()).toEqual({});
    choose('2025-12-20');
    await press('Enter');
    expect([set(), chips()]).toEqual([{ from: '2025-12-20' }, ['date ≥ 2025-12-20']]);
    document.querySelector<HTMLElement>('[data-filter="from"] button')?.click();
    await settle();
    choose('2025-12-25');
    await press('Escape');
    expect(set()).toEqual({ from: '2025-12-20' });
  });
});

it('a chip is changed by a click: its values are offered, and it stays until another one is chosen', async () => {
  await open({ model: 'azure/gpt-5' });
  document.querySelector<HTMLElement>('[data-filter="model"] button')?.click();
  await settle();
  expect([field().value, options().length, set()]).toEqual(['model:', 3, { model: 'azure/gpt-5' }]);
  document.querySelector<HTMLElement>('[data-value="model=lab/qwen3"]')?.click();
  await settle();
  expect([set(), field().value]).toEqual([{ model: 'lab/qwen3' }, '']);
  document.querySelector<HTMLElement>('[data-remove-filter="model"]')?.click();
  await settle();
  expect(set()).toEqual({});
});

it('what means nothing stays and is said, and the name of a filter alone goes', async () => {
  await open();
  await type('model:nothing date>=2025-13-01 gpt');
  field().blur();
  await settle();
  expect(document.querySelector('[id$="-wrong"]')?.textContent).toBe('No row has model:nothing');
  await type('model:');
  field().blur();
  await settle();
  expect([field().value, document.querySelector('[id$="-wrong"]')]).toEqual(['', null]);
});

it('follows an address that is opened, and is cleared at once', async () => {
  await open({ q: 'gpt' });
  now.filters = { q: 'nova', model: 'gone' };
  await settle();
  expect([field().value, chips()]).toEqual(['nova', ['model: gone']]);
  document.querySelector<HTMLElement>('[data-clear-filters]')?.click();
  await settle();
  expect([field().value, chips(), set()]).toEqual(['', [], {}]);
});

it('is fit for screen readers, open and closed', async () => {
  await open({ model: 'azure/gpt-5', from: '2025-12-20' });
  expect(await violations('region', 'page-has-heading-one', 'landmark-one-main')).toEqual([]);
  await type('model:');
  expect(await violations('region', 'page-has-heading-one', 'landmark-one-main')).toEqual([]);
});
