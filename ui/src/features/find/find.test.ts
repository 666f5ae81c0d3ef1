// The search through transcripts, as a user meets it.
import { describe, expect, it } from 'vitest';
import type { FindAnswer, FoundText, Job, WireError } from '../../ipc/gen';
import { FakeJobs } from '../../platform/fakeJobs';
import { parsePlace, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import { partsOf, placeOf, queryOf } from './query';
import Screen from './Screen.svelte';

const EXCERPT: FoundText = {
  field: 'argument',
  argument: 'query',
  number: 2,
  text: '😀 오늘의 주가 <b>',
  cut_before: true,
  cut_after: false,
  marks: [[6, 8]],
};

const ANSWER: FindAnswer = {
  query: '주가',
  total: 60,
  runs: 2,
  searched: 728,
  searched_runs: 8,
  models: [
    { name: 'azure/gpt 4o', attempts: 40 },
    { name: 'z/qwen', attempts: 20 },
  ],
  levels: [{ name: 'L1', attempts: 60 }],
  tools: Array.from({ length: 14 }, (_, index) => ({ name: `Tool_${index}`, attempts: 14 - index })),
  hits: [
    {
      run: 'azure_gpt-4o/20260101_000000',
      model: 'azure/gpt 4o',
      task: 'L1-001',
      level: 'L1',
      repetition: 2,
      status: 'answered',
      excerpts: [EXCERPT],
    },
  ],
  index: { pending: 0, unfinished: 0, unreadable: [] },
};

const JOB: Job = {
  id: '1-1',
  kind: 'find_index',
  about: [],
  done: 3,
  total: 8,
  since_ms: 0,
  took_ms: 1000,
  news: 0,
  in_bytes: false,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};

describe('a query', () => {
  it('is what is typed with the filters that are clicked, which bind stronger than OR', () => {
    expect(queryOf({})).toBe('');
    expect(queryOf({ q: ' 주가 ' })).toBe('주가');
    expect(queryOf({ q: 'a OR b', level: 'L3', model: 'azure/gpt 4o' })).toBe('(a OR b) model:"azure/gpt 4o" level:L3');
    expect(queryOf({ q: 'ORACLE', tool: 'a"b' })).toBe(String.raw`ORACLE tool:"a\"b"`);
  });

  it('is marked by characters, not by UTF-16', () => {
    expect(partsOf(EXCERPT)).toEqual([
      { text: '😀 오늘의 ', marked: false },
      { text: '주가', marked: true },
      { text: ' <b>', marked: false },
    ]);
  });

  it('leads to the attempt, at the call of the text', () => {
    const [hit] = ANSWER.hits;
    if (!hit) throw new Error('no hit');
    const { rest, query } = parsePlace(placeOf(hit));
    expect([rest, query]).toEqual([['azure_gpt-4o/20260101_000000', 'L1-001'], { repetition: '2', call: '1' }]);
    expect(parsePlace(placeOf(hit, { ...EXCERPT, field: 'said' })).query).toEqual({ repetition: '2' });
  });
});

describe('the search', () => {
  screensForTests();
  const asked: { query: string; limit: number }[] = [];

  async function open(
    at: string,
    {
      answer = ANSWER,
      failing = {},
      jobs = new FakeJobs(),
    }: { answer?: FindAnswer; failing?: Record<string, WireError>; jobs?: FakeJobs } = {},
  ): Promise<void> {
    asked.length = 0;
    await openScreen(Screen as never, {
      at,
      jobs,
      failing,
      answers: {
        find_update: () => null,
        find: ({ query, limit }) => {
          asked.push({ query, limit });
          return answer;
        },
      },
    });
  }
  const press = async (selector: string) => {
    find(selector)?.click();
    // The address is followed by an event of the browser.
    await settle();
    await settle();
  };

  it('begins with examples, asks what is typed, and shows texts as they are with marks', async () => {
    await open('#/find');
    expect(asked).toEqual([]);
    expect(find('[data-find] a[href^="#/find?q="]')).not.toBeNull();
    await put('#find-query', '주가');
    await press('[type="submit"]');
    expect(route.place.query).toEqual({ q: '주가' });
    expect(asked).toEqual([{ query: '주가', limit: 50 }]);
    expect(find('[data-total]')?.textContent?.replace(/\s+/g, ' ').trim()).toBe('60 attempts of 728, in 2 of 8 runs');
    expect(find('[data-excerpt] mark')?.textContent).toBe('주가');
    expect(find('[data-excerpt]')?.textContent).toContain('…😀 오늘의 주가 <b>');
    expect(find('[data-excerpt] b')).toBeNull();
  });

  it('is narrowed by a count and widened again, and the address keeps it', async () => {
    await open('#/find?q=a+OR+b');
    await press('[data-facet="model"][data-name="azure/gpt 4o"]');
    expect(route.place.query).toEqual({ q: 'a OR b', model: 'azure/gpt 4o' });
    expect(asked.at(-1)?.query).toBe('(a OR b) model:"azure/gpt 4o"');
    expect(find('[data-facet="model"]')?.getAttribute('aria-pressed')).toBe('true');
    expect(document.querySelectorAll('[data-facet="tool"]')).toHaveLength(12);
    await press('[data-facet="model"][data-name="azure/gpt 4o"]');
    expect(route.place.query).toEqual({ q: 'a OR b' });
  });

  it('lists more on request', async () => {
    await open('#/find?q=a');
    await press('#find-more');
    expect(asked.at(-1)).toEqual({ query: 'a', limit: 100 });
  });

  it('says what is wrong with a query, with the rules below', async () => {
    const message = 'character 1: there is no field `toool`';
    await open('#/find?q=toool:x', { failing: { find: { code: 'bad_request', message } } });
    expect(text()).toContain(message);
    expect(find('details')).not.toBeNull();
  });

  it('searches what is read when reading was stopped, and says what is left', async () => {
    const answer = {
      ...ANSWER,
      index: { pending: 5, unfinished: 1, unreadable: [{ run: 'a/1', reasons: ['no log'] }] },
    };
    await open('#/find?q=a', { answer, failing: { find_update: { code: 'cancelled', message: 'stopped' } } });
    expect(find('[data-pending="5"]')?.textContent).toContain('5 runs not read yet');
    expect(find('[data-unfinished]')?.textContent).toContain('1 run under way');
    expect(find('[data-unreadable]')?.textContent).toContain('no log');
  });

  it('shows how many runs are read', async () => {
    const jobs = new FakeJobs();
    jobs.tell(JOB);
    let read: (() => void) | undefined;
    await openScreen(Screen as never, {
      at: '#/find?q=a',
      jobs,
      answers: {
        find_update: (() => new Promise<null>((done) => (read = () => done(null)))) as never,
        find: () => ANSWER,
      },
    });
    expect(find('[data-reading]')?.textContent).toContain('3 of 8');
    read?.();
    jobs.tell({ ...JOB, finished: true });
    await settle();
    expect(find('[data-reading]')).toBeNull();
    expect(find('[data-hit]')).not.toBeNull();
  });

  it('says so where nothing matches, and where there is nothing to search', async () => {
    const none = { ...ANSWER, total: 0, runs: 0, models: [], levels: [], tools: [], hits: [] };
    await open('#/find?q=a', { answer: none });
    expect(text()).toContain('Nothing matches');
    await open('#/find?q=a', { answer: { ...none, searched: 0, searched_runs: 0 } });
    expect(find('a[href^="#/runs?new=1"]')).not.toBeNull();
  });
});
