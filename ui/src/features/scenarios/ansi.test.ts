import { expect, it } from 'vitest';
import { coloured, visible } from './ansi';

const words = (text: string) =>
  coloured(text).map((line) => line.map(({ text, look }) => (look ? `${look}:${text}` : text)));

it('colours run on over lines, and other orders to a terminal are gone', () => {
  expect(words('\x1b[1;31mred\nstill\x1b[0m plain\x1b]0;title\x07\x1b[2K\x1b[3A end')).toEqual([
    ['c-red d-bold:red'],
    ['c-red d-bold:still', ' plain end'],
  ]);
});

it('markup stays text, and no escape code is left', () => {
  const lines = coloured(
    '<img src=x onerror=alert(1)>\x1b[38;2;1;2;3mtrue\x1b[0m \x1b[ \x1b&lt; \x1b]8;;http://x\x1b\\link',
  );
  const text = lines
    .flat()
    .map(({ text }) => text)
    .join('');
  expect(text).toContain('<img src=x onerror=alert(1)>true');
  expect(text).toContain('link');
  expect(text).not.toMatch(/[\x00-\x08\x1b]|http:/);
});

it('a progress bar shows what it wrote last', () => {
  expect(words('10 %\r50 %\r100 %\nnext\r\n')).toEqual([['100 %'], ['next'], []]);
});

it('names that would read otherwise than they are written are spelled out', () => {
  expect(visible('re\u202etxt.exe\n')).toBe('re\\u202etxt.exe\\u000a');
  expect(visible('한국어.txt')).toBe('한국어.txt');
});
