import { expect, it } from 'vitest';
import { filled, wordsIn } from '.';

const [en, ko] = [wordsIn('en'), wordsIn('ko')];

/** Every leaf as `path: kind`; functions with the number of their parameters. */
function leaves(value: unknown, path = ''): string[] {
  if (typeof value === 'function') return [`${path}: function of ${value.length}`];
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`));
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}

it('both languages have the same keys', () => {
  expect(leaves(ko).sort()).toEqual(leaves(en).sort());
});

it('no text is left empty in one language only', () => {
  const empty = (messages: unknown) => texts(messages).filter((text) => text.trim() === '').length;
  expect(empty(ko)).toBe(empty(en));
});

it('Korean is Korean: almost every text has Hangul', () => {
  // Names that both languages write alike.
  const names = ['', 'Judge', 'Langfuse', 'TMAP', 'Referer'];
  const without = texts(ko).filter((text) => !names.includes(text) && !/[가-힣]/.test(text));
  expect(without).toEqual(['Ko-AgentBench Desktop']);
});

it('a language that has some of the words is English in the rest', () => {
  const some = filled(en, { words: { cancel: 'Nuligi' }, runs: { form: { run: (what: string) => `Lanĉi ${what}` } } });
  expect(some.words.cancel).toBe('Nuligi');
  expect(some.runs.form.run('L1')).toBe('Lanĉi L1');
  expect(some.runs.form.queue).toBe(en.runs.form.queue);
  expect(leaves(some).sort()).toEqual(leaves(en).sort());
});
