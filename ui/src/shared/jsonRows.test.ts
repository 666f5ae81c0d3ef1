import { describe, expect, it } from 'vitest';
import { jsonText } from './exact';
import { around, find, linesOf, openTo, rowsOf, valueAt } from './jsonRows';

const VALUE = { title: '판교역', list: [{ a: 1 }, null, []], 'x/y~z': { deep: 'Tmap' } };
const shown = (value: unknown, open: Set<string>, columns = 80) =>
  rowsOf(value, open, columns).map(({ depth, name, text, size }) => `${'  '.repeat(depth)}${name}=${text || size}`);

describe('rows', () => {
  it('show an integer that no number holds with every digit, and find it', () => {
    const value = { id: { $integer: '9007199254740993' }, own: { $integer: 1 } };
    expect(shown(value, openTo(value, 1))).toEqual(['null=2', '  id=9007199254740993', '  own=1']);
    expect(rowsOf(value, openTo(value, 1), 80)[1]).toMatchObject({ kind: 'number', folds: false });
    expect(find(value, '740993')).toEqual(['/id']);
    expect(jsonText({ ...value, text: '{"$integer":"1"}' })).toBe(
      '{"id":9007199254740993,"own":{"$integer":1},"text":"{\\"$integer\\":\\"1\\"}"}',
    );
  });

  it('are those of what is open, in the order of the document', () => {
    expect(shown(VALUE, openTo(VALUE, 1))).toEqual(['null=3', '  title="판교역"', '  list=3', '  x/y~z=1']);
    expect(shown(VALUE, openTo(VALUE, Infinity))).toEqual([
      'null=3',
      '  title="판교역"',
      '  list=3',
      '    0=1',
      '      a=1',
      '    1=null',
      '    2=0',
      '  x/y~z=1',
      '    deep="Tmap"',
    ]);
  });

  it('fold a text that is too wide for them, and open it without losing a character', () => {
    const text = `${'가'.repeat(200)}😀\n끝`;
    const rows = rowsOf({ text }, new Set(['', '/text']), 60);
    expect(rows[1]).toMatchObject({ folds: true, open: true, size: text.length });
    expect(
      rows
        .slice(2)
        .map((row) => row.text)
        .join(''),
    ).toBe(text.replace('\n', ''));
    expect(Math.max(...rows.slice(2).map((row) => row.text.length))).toBeLessThanOrEqual(28);
    expect(rowsOf({ text: 'short' }, new Set(['']), 60)[1]?.folds).toBe(false);
  });

  it('of a megabyte fit the value and no more', () => {
    const value = { items: Array.from({ length: 20_000 }, (_, i) => ({ i, text: `값 ${i}` })) };
    expect(JSON.stringify(value).length).toBeGreaterThan(500_000);
    expect(rowsOf(value, openTo(value, 2), 80)).toHaveLength(20_002);
    expect(find(value, '값 19999')).toEqual(['/items/19999/text']);
  });
});

it('lines keep pairs together and count Hangul double', () => {
  expect(linesOf('한글abc', 4)).toEqual(['한글', 'abc']);
  expect(linesOf('a😀b', 2).join('')).toBe('a😀b');
  expect(linesOf('😀😀', 2)).toEqual(['😀', '😀']);
});

describe('search', () => {
  it.each([
    ['판교', ['/title']],
    ['TMAP', ['/x~1y~0z/deep']],
    ['x/y', ['/x~1y~0z']],
    ['null', ['/list/1']],
    ['1', ['/list/0/a']],
    ['  ', []],
    ['없음', []],
  ])('for %j finds %j', (words, paths) => expect(find(VALUE, words)).toEqual(paths));

  it('finds what was typed in pieces of a syllable', () => {
    expect(find(VALUE, '판교'.normalize('NFD'))).toEqual(['/title']);
  });
});

it('a path leads back to its value and names what is around it', () => {
  expect(valueAt(VALUE, '/x~1y~0z/deep')).toBe('Tmap');
  expect(valueAt(VALUE, '/title#3')).toBe('판교역');
  expect(around('/list/0/a')).toEqual(['', '/list', '/list/0']);
  expect(around('')).toEqual([]);
});
