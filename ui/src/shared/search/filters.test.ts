// Filters as they are typed, and what the list below the field offers.
import { describe, expect, it } from 'vitest';
import { dayOf, type FilterField, passing, taken, tokensOf, valuesOf, wordsIn } from './filters';
import { choiceOf, suggestions } from './suggestions';

interface Row {
  model: string;
  tags: string[];
  date: string;
}
const ROWS: Row[] = [
  { model: 'azure/gpt-4o', tags: ['기준', 'final run'], date: '20251219_113310' },
  { model: 'azure/gpt-5', tags: [], date: '20251220' },
  { model: 'lab/qwen3', tags: ['기준'], date: '' },
];
const FIELDS: FilterField<Row>[] = [
  { key: 'model', name: 'model', of: ({ model }) => [model] },
  { key: 'tag', name: 'tag', of: ({ tags }) => tags, said: (tag) => (tag === '기준' ? 'baseline' : tag) },
  { key: 'from', name: 'date', sign: '>=', of: ({ date }) => [date] },
  { key: 'to', name: 'date', sign: '<=', of: ({ date }) => [date] },
];
const collate = new Intl.Collator('en').compare;
const values = (field: FilterField<Row>) => valuesOf(ROWS, field, collate);
const take = (text: string, all = true) => taken(text, FIELDS, values, all);

describe('a typed filter', () => {
  it.each([
    ['model:azure/gpt-5', { model: 'azure/gpt-5' }, ''],
    ['모델:AZURE/GPT-5', { model: 'azure/gpt-5' }, ''],
    ['모델:azure/gpt-5'.normalize('NFD'), { model: 'azure/gpt-5' }, ''],
    ['nova model:qwen 한 단어', { model: 'lab/qwen3' }, 'nova 한 단어'],
    ['tag:"final run" gpt', { tag: 'final run' }, 'gpt'],
    ['tag:baseline', { tag: '기준' }, ''],
    ['태그:기준 date>=2025-12-01 날짜≤20251231', { tag: '기준', from: '2025-12-01', to: '2025-12-31' }, ''],
    ['date:2025.12.1', { from: '2025-12-01', to: '2025-12-01' }, ''],
    ['from:2025-12-01', { from: '2025-12-01' }, ''],
    ['model:gpt-5 model:qwen3', { model: 'lab/qwen3' }, ''],
    ['model:gpt', {}, 'model:gpt'],
    ['model:', {}, 'model:'],
    ['date>=2025-02-30', {}, 'date>=2025-02-30'],
    ['date>2025-02-01 nova-lite-v1:0 http://x model>=3', {}, 'date>2025-02-01 nova-lite-v1:0 http://x model>=3'],
  ])('“%s”', (text, change, rest) => {
    const found = take(text);
    expect([found.change, found.rest.trim()]).toEqual([change, rest]);
  });

  it('counts with a space behind it, and with a part of its value only once it is left', () => {
    expect(take('model:azure/gpt-5', false).change).toEqual({});
    expect(take('model:azure/gpt-5 ', false)).toEqual({ change: { model: 'azure/gpt-5' }, rest: '' });
    expect(take('model:qwen ', false).change).toEqual({});
  });

  it('is no free word', () => {
    expect(wordsIn(tokensOf('  gpt  model:az  4o', FIELDS))).toBe('gpt 4o');
  });

  it.each([
    ['2025-12-19', '2025-12-19'],
    ['20251219', '2025-12-19'],
    ['2025/2/3', '2025-02-03'],
    ['2025-13-01', null],
    ['2025', null],
    ['', null],
  ])('the day “%s” is %s', (text, day) => {
    expect(dayOf(text)).toBe(day);
  });
});

describe('rows', () => {
  it.each([
    [{}, 3],
    [{ tag: '기준' }, 2],
    [{ tag: '기준', from: '2025-12-19' }, 1],
    [{ to: '2025-12-19' }, 2],
    [{ model: 'gone' }, 0],
  ])('%j leaves %i', (filters, left) => {
    expect(passing(ROWS, FIELDS, filters)).toHaveLength(left);
  });
});

describe('the list', () => {
  const offer = (text: string, filters = {}) =>
    suggestions({
      text,
      fields: FIELDS,
      filters,
      values,
      label: ({ name, sign }) => `${name}${sign ?? ':'}`,
      words: {
        filterBy: 'Filter by',
        none: 'none',
        day: 'a day',
        rows: (count) => `${count} rows`,
        choices: (count) => `${count} values`,
        firstOf: (name, shown, all) => `${name} ${shown}/${all}`,
      },
    });
  const texts = (text: string) => offer(text).options.map((option) => `${option.text} ${option.count}`);

  it('begins with the fields', () => {
    expect(texts('')).toEqual(['model: 3 values', 'tag: 2 values', 'date>= a day', 'date<= a day']);
    expect(texts('gpt ')).toHaveLength(4);
  });

  it('has fields and values for a word, of which Enter takes none', () => {
    expect(texts('ta')).toEqual(['tag: 2 values']);
    expect(texts('모')).toEqual(['model: 3 values']);
    expect(texts('gpt')).toEqual(['model: azure/gpt-4o 1 rows', 'model: azure/gpt-5 1 rows']);
    expect(offer('gpt').takesFirst).toBe(false);
  });

  it('has the values of a field, with the number of rows', () => {
    expect(texts('nova tag:')).toEqual(['baseline 2 rows', 'final run 1 rows']);
    expect(texts('모델:qwen')).toEqual(['lab/qwen3 1 rows']);
    const { takesFirst, chosen, none } = offer('model:x', { model: 'lab/qwen3' });
    expect([takesFirst, chosen, none]).toEqual([true, 'model=lab/qwen3', 'none']);
  });

  it('offers a day until one is typed', () => {
    expect(texts('date>=')).toEqual(['date>= a day']);
    expect(texts('date:')).toEqual(['date>= a day', 'date<= a day']);
    expect(texts('date>=2025-12-01')).toEqual([]);
  });

  it('says what an option stands for', () => {
    expect(choiceOf('model')).toEqual({ key: 'model' });
    expect(choiceOf('model=a=b')).toEqual({ key: 'model', value: 'a=b' });
  });
});
