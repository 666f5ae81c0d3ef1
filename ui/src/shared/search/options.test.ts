import { describe, expect, it } from 'vitest';
import { isName, matching, namesIn, offered, type SearchOption } from './options';

const OPTIONS: SearchOption[] = [
  { value: 'azure/gpt-4.1-mini', mark: 'leaderboard' },
  { value: 'lab/gpt-5', group: 'Connections: lab' },
  { value: 'lab/qwen3', group: 'Connections: lab' },
  { value: 'baseline/golden', text: '골든', group: 'Baselines' },
];
const free = (name: string): string => `Use “${name}”`;

describe('what matches the typed text', () => {
  it.each([
    ['', ['azure/gpt-4.1-mini', 'lab/gpt-5', 'lab/qwen3', 'baseline/golden']],
    ['GPT', ['azure/gpt-4.1-mini', 'lab/gpt-5']],
    ['gpt lab', ['lab/gpt-5']],
    ['leaderboard', ['azure/gpt-4.1-mini']],
    ['connections qwen', ['lab/qwen3']],
    ['골든'.normalize('NFD'), ['baseline/golden']],
    ['nothing', []],
  ])('“%s”', (text, values) => {
    expect(matching(OPTIONS, text).map(({ value }) => value)).toEqual(values);
  });
});

describe('what Enter takes', () => {
  it.each([
    ['a search takes the first match', 'qwen', 'lab/qwen3'],
    ['a whole name that is listed takes the listed one', 'LAB/GPT-5', 'lab/gpt-5'],
    ['a whole name that is not listed takes the name as typed', 'lab/gpt', 'lab/gpt'],
    ['a search without a match takes nothing', 'nothing', undefined],
  ])('%s', (_, text, value) => {
    expect(offered(OPTIONS, text, free)[0]?.value).toBe(value);
  });

  it('where any text is a name it is offered below what it finds', () => {
    expect(offered(OPTIONS, 'gpt', free, true).map(({ value }) => value)).toEqual([
      'azure/gpt-4.1-mini',
      'lab/gpt-5',
      'gpt',
    ]);
    expect(offered(OPTIONS, ' ', free, true)).toEqual(OPTIONS);
  });

  it('a list without free text offers listed options alone', () => {
    expect(offered(OPTIONS, 'lab/other').map(({ value }) => value)).toEqual([]);
  });
});

describe('names in a text', () => {
  it.each([
    ['a/b', [], 'a/b'],
    ['a/b,', ['a/b'], ''],
    ['a/b c/d', ['a/b'], 'c/d'],
    ['a/b,\nc/d, ', ['a/b', 'c/d'], ''],
    ['gpt mini', [], 'gpt mini'],
  ])('“%s”', (text, names, rest) => {
    expect(namesIn(text)).toEqual({ names, rest });
  });

  it.each([
    ['a/b', true],
    ['a/b/c', true],
    ['a/', false],
    ['a', false],
    ['a/b c', false],
  ])('“%s” is a whole name: %s', (text, is) => {
    expect(isName(text)).toBe(is);
  });
});
