// What is read is what was written: the rendered text compared with its source.
import { describe, expect, it } from 'vitest';
import { htmlOf } from './safeHtml';

const rendered = (text: string) =>
  new DOMParser().parseFromString(
    htmlOf(text, (name) => name),
    'text/html',
  ).body;

/** The text that a reader sees, with the numbers of lists, and the addresses that links lead to where their words are others. */
function read(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  const inside = [...node.childNodes].map(read).join('');
  if (!(node instanceof HTMLElement)) return inside;
  const address = node.getAttribute('href');
  switch (node.localName) {
    case 'a':
      return address &&
        [inside, `http://${inside}`, `mailto:${inside}`].some(
          (one) => encodeURI(one).replaceAll('%25', '%') === address,
        )
        ? inside
        : `[${inside}](${address})`;
    case 'br':
      return '\n';
    case 'li': {
      const value = node.getAttribute('value');
      return `\n${value === null ? '-' : `${value}${node.getAttribute('data-mark') ?? '.'}`} ${inside}\n`;
    }
    case 'p':
    case 'tr':
    case 'th':
    case 'td':
      return `\n${inside}\n`;
    default:
      return inside;
  }
}

/**
 * Without blanks, and without the marks that formatting is written with: of Markdown, and the two forms of a sign in HTML.
 * A single tilde is no such mark, and neither is a bracket, a number or a full stop.
 */
const bare = (text: string) =>
  text
    .replaceAll('&amp;', '&')
    .replace(/\[(https?:[^\]]+)\]\(\1\)/g, '$1')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/```\w*|~~|[\s*_`#|>+!-]|(?<=\|):|:(?=\|)/g, '');

interface Log {
  results: { task_id: string; final_response: string | null }[];
}

/** The published logs of eight models, where they lie beside the checkout. */
const logs = import.meta.glob<Log>('../../../../shared/parity/logs/**/L*.json', { import: 'default' });

async function answers(): Promise<[string, string][]> {
  const read = await Promise.all(Object.entries(logs).map(async ([path, log]) => [path, await log()] as const));
  return read.flatMap(([path, { results }]) =>
    results.flatMap(({ task_id: task, final_response: said }): [string, string][] =>
      said === null ? [] : [[`${path.split('/').at(-3)} ${task}`, said]],
    ),
  );
}

describe('a model’s text', () => {
  it.each([
    ['single tildes are text', '약 6~8km, 15~30분', '약 6~8km, 15~30분'],
    ['tildes that draw a word out', '좋아요~~ 내일 봬요~~', '좋아요~~ 내일 봬요~~'],
    ['tildes within a word', '오전~~오후~~저녁', '오전~~오후~~저녁'],
    ['two tildes strike', '~~3만원~~ 2만원', '3만원 2만원', 'del'],
    ['struck within bold', '**~~3만원~~** 2만원', '3만원 2만원', 'del'],
    ['numbers with a bracket', '1) 하나\n2) 둘', '1) 하나\n2) 둘', 'ol'],
    ['a list that starts later', '11. 하나\n12. 둘', '11. 하나\n12. 둘', 'ol'],
    ['numbers that do not follow', '1. 하나\n1. 둘\n4. 셋', '1. 하나\n1. 둘\n4. 셋', 'ol'],
    ['a list broken by others', '1) 하나\n- 가\n\n2) 둘', '1) 하나\n- 가\n2) 둘', 'ul'],
    ['a date', '2025. 12. 20. 기준', '2025. 12. 20. 기준'],
    ['a date in a list', '- 12. 20. 개막', '- 12. 20. 개막', 'ul'],
    ['a date below a number', '1. 개막\n2025. 12. 20. 폐막', '1. 개막\n2025. 12. 20. 폐막', 'ol'],
    ['a product', '총 5*3*2개', '총 5*3*2개'],
    ['a product of brackets', '(5+1)*3*(2+1)개', '(5+1)*3*(2+1)개'],
    ['a power', '2**10은 1024, 2**11은 2048', '2**10은 1024, 2**11은 2048'],
    ['names with underscores', '가_나_다 snake_case_name', '가_나_다 snake_case_name'],
    ['emphasis within a word', '이것은*강조*입니다', '이것은강조입니다', 'em'],
    ['bold quotes before a particle', '제목은 **"너의 밤"**입니다', '제목은 "너의 밤"입니다', 'strong'],
    ['bold brackets behind a word', '약**(30분)**이며 **40%**까지', '약(30분)이며 40%까지', 'strong'],
    ['bold and slanted', '***가*** **나 *다*** 라', '가 나 다 라', 'strong'],
    ['marks that nothing closes', '**가 나 다', '**가 나 다'],
    [
      'cells beyond the head',
      '| 이름 | 값 |\n|---|---|\n| 가 | 1 | 비고 |',
      '| 이름 | 값 |\n|---|---|\n| 가 | 1 | 비고 |',
    ],
    ['a table', '| 이름 | 값 |\n|---|---|\n| 가 | 1 |', '이름\n값\n가\n1', 'table'],
    ['what looks like the address of a link', '[참고]: 서울시', '[참고]: 서울시'],
    ['a footnote', '매출[^1]\n\n[^1]: 추정치', '매출[^1]\n[^1]: 추정치'],
    ['an image', '![표지](https://a.example/b.jpg)', '[표지](https://a.example/b.jpg)', 'a'],
    ['an image from nowhere', '![표지](b.jpg)', '![표지](b.jpg)'],
    ['an address that nothing opens', '[표](sandbox:/a.csv)', '[표](sandbox:/a.csv)'],
    ['an address before a particle', 'https://a.example에서 확인', 'https://a.example에서 확인', 'a'],
    ['an address in brackets', '(https://a.example/b)에서', '(https://a.example/b)에서', 'a'],
    ['a Korean address', 'https://a.example/한국 참고', 'https://a.example/한국 참고', 'a'],
    ['angle brackets', '<b>강조</b> <서울> 3 < 5', '<b>강조</b> <서울> 3 < 5'],
    ['a hashtag', '#서울 #맛집', '#서울 #맛집'],
    ['lines', '하나\n둘\n\n셋', '하나\n둘\n셋'],
  ])('keeps %s', (_, written, seen, element?: string) => {
    const body = rendered(written);
    expect(
      read(body)
        .replace(/ *\n+ */g, '\n')
        .trim(),
    ).toBe(seen);
    const formatted = [...body.querySelectorAll('*')]
      .map(({ localName }) => localName)
      .filter((name) => !['p', 'br'].includes(name));
    if (element === undefined) expect(formatted).toEqual([]);
    else expect(formatted).toContain(element);
  });

  it.each([
    ['https://a.example에서', 'https://a.example'],
    ['(https://a.example/b)에서', 'https://a.example/b'],
    ['https://a.example/b입니다.', 'https://a.example/b'],
    ['https://a.example/w/한국', 'https://a.example/w/한국'],
    ['https://a.example/w/2025년_여름', 'https://a.example/w/2025년_여름'],
  ])('leads where %s says', (written, address) => {
    expect(decodeURI(rendered(written).querySelector('a')?.getAttribute('href') ?? '')).toBe(address);
  });

  const none = Object.keys(logs).length === 0;
  if (none) console.log('SKIP: ../shared is not there, and no published answer was compared');
  it.skipIf(none)('says what each published answer says (needs ../shared)', { timeout: 120_000 }, async () => {
    const all = await answers();
    expect(all).toHaveLength(724);
    const changed = all.filter(([, said]) => bare(read(rendered(said))) !== bare(said));
    expect(changed.map(([whose]) => whose)).toEqual([]);
  });
});
