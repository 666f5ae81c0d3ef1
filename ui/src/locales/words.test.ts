import { expect, it } from 'vitest';
import glossary from '../../../docs/glossary.md?raw';
import help from '../../../src-tauri/crates/koab-cli/help/ko.json';
import { SENTENCES } from '.';

type Sources = Record<string, string>;
const en: Sources = import.meta.glob('./en/*.ts', { eager: true, query: '?raw', import: 'default' });
const ko: Sources = import.meta.glob('./ko/*.ts', { eager: true, query: '?raw', import: 'default' });

/** The second table of the glossary: phrases that no text has any more, and what stands in their place. */
const RETIRED = (glossary.split('## Words that are not used')[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', language = '', instead = '']) => ({ word, language, instead }));

/** The values of a file, a line each: without comments, and without the key that a line begins with. */
function values(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/\*|\*)/.test(line))
    .map((line) => line.replace(/^\s*(?:'[^']+'|\w+):/, ''));
}

function found(file: string, texts: string[], language: string): string[] {
  const words = RETIRED.filter((row) => row.language === language);
  return words.flatMap(({ word, instead }) => {
    const hit = texts.find((text) => text.toLowerCase().includes(word.toLowerCase()));
    return hit === undefined ? [] : [`${file}: “${word}” (instead: ${instead}) in ${hit.trim()}`];
  });
}

it('the glossary names words that are not used, each with its language', () => {
  expect(RETIRED.length).toBeGreaterThan(40);
  expect(
    RETIRED.filter(({ word, language, instead }) => word === '' || instead === '' || !['en', 'ko'].includes(language)),
  ).toEqual([]);
});

it('no text of the window has a word that is not used', () => {
  expect([Object.keys(en).length, Object.keys(ko).length].every((count) => count > 30)).toBe(true);
  const of = (files: Sources, language: string) =>
    Object.entries(files).flatMap(([path, source]) => found(path, values(source), language));
  expect([...of(en, 'en'), ...of(ko, 'ko')]).toEqual([]);
});

it('no Korean sentence or help text of the engine and the command line has one', () => {
  const [retired] = RETIRED.filter(({ language }) => language === 'ko');
  expect(found('a file', [`… ${retired?.word} …`], 'ko')).toHaveLength(1);
  expect(found('src-tauri/messages/ko.json', Object.values(SENTENCES['ko'] ?? {}), 'ko')).toEqual([]);
  expect(found('src-tauri/crates/koab-cli/help/ko.json', Object.values(help), 'ko')).toEqual([]);
});

it('the Korean term of a judge is whole, or Judge', () => {
  const own = Object.values(ko).flatMap(values);
  const all = [...own, ...Object.values(SENTENCES['ko'] ?? {}), ...Object.values(help)];
  expect(all.filter((text) => /평가 모델(?!\(Judge\))/.test(text))).toEqual([]);
});

it('no English sentence of the engine or the command line has one', () => {
  // Data of files that are verified byte for byte: what a model is told of a call, and why a score is missing.
  const data = /^no recorded response for|had no recorded response$|no judge was asked/;
  const english = Object.keys(SENTENCES['ko'] ?? {})
    .filter((sentence) => !data.test(sentence))
    .map((sentence) => sentence.replaceAll(/\{\w+\}/g, '…'));
  expect(english.length).toBeGreaterThan(2000);
  expect(
    RETIRED.filter(({ language }) => language === 'en').flatMap(({ word }) =>
      english
        .filter((sentence) => sentence.toLowerCase().includes(word.replace('’', "'").toLowerCase()))
        .map((sentence) => `${word}: ${sentence}`),
    ),
  ).toEqual([]);
});

// A Korean particle depends on the sound before it, so a text has both forms behind a value.
const BOTH = '(?:은\\(는\\)|이\\(가\\)|을\\(를\\)|와\\(과\\)|과\\(와\\)|\\(으\\)로|\\(이\\))';
const ONE = '(?:은|는|이|가|을|를|와|과|으로|로|라고|라는)(?![가-힣(])';
const MARKS = '[`\'"’”)\\]]*';

it('a particle behind a value has both forms, and both forms are behind a value', () => {
  const sentences = Object.values(SENTENCES['ko'] ?? {});
  // Money is read with its unit behind the number: `${cap}를` is `…달러를`. These placeholders are shown as they are.
  const fixed = new RegExp(`(?<!\\$)\\{(?!openai|token|mcp_token_url|port\\})\\w+\\}${MARKS}${ONE}`);
  const loose = new RegExp(`(?<!\\{\\w+\\}${MARKS})${BOTH}`);
  expect(sentences.filter((text) => fixed.test(text) || loose.test(text))).toEqual([]);

  const own = Object.entries(ko).flatMap(([path, source]) => values(source).map((text) => `${path}: ${text.trim()}`));
  expect(own.filter((text) => new RegExp(`\\$\\{[^}]*\\}${MARKS}${ONE}`).test(text))).toEqual([]);
  expect(own.filter((text) => new RegExp(BOTH).test(text) && !/josa`[^`]*\}/.test(text))).toEqual([]);
});
