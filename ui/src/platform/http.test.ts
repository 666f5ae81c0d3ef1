import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, RunEvent, RunEventKind, WireError } from '../ipc/gen';
import { apart } from './browserFiles';
import { Connection } from './connection';
import { createHttp } from './http';
import { settle } from '../shared/settleForTests';
import { HttpServer, openSession } from './httpServer';

/** One streaming answer that the test writes line by line, and can break off. */
class Stream {
  #out!: ReadableStreamDefaultController<Uint8Array>;
  readonly response = new Response(new ReadableStream({ start: (out) => void (this.#out = out) }));

  line(line: object): void {
    this.#out.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  }
  end(): void {
    this.#out.close();
  }
  break(): void {
    this.#out.error(new TypeError('network error'));
  }
}

const event = (elapsed_ms: number, kind: Partial<RunEventKind> = { type: 'step_finished' }): RunEvent =>
  ({ at_ms: 0, elapsed_ms, run: 'r', kind }) as RunEvent;
const LAST = event(99, { type: 'run_finished' });

let asked: { path: string; body: unknown; session: string | null }[] = [];
let answers: ((path: string, left?: AbortSignal | null) => Response | Promise<Response>)[] = [];
let states: string[] = [];
let told: number[] = [];

beforeEach(() => {
  [asked, answers, states, told] = [[], [], [], []];
  sessionStorage.clear();
  vi.useFakeTimers();
  // No other tab is open; `tabs.test.ts` has those.
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const session = new Headers(init.headers).get('authorization');
    asked.push({ path, body: JSON.parse(String(init.body)), session });
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer(path, init.signal);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open() {
  const connection = new Connection();
  connection.watch((state) => states.push(state));
  return createHttp(new HttpServer('s1', connection), connection);
}

const hear = (events: RunEvent[]) => told.push(...events.map(({ elapsed_ms }) => elapsed_ms));
const refused = (error: WireError, status: number) => () => new Response(JSON.stringify(error), { status });

describe('a call', () => {
  it('carries the session and answers what the command answers', async () => {
    answers = [() => new Response('[1]')];
    expect(await open().call('packs_list', {})).toEqual([1]);
    expect(asked).toEqual([{ path: '/api/call/packs_list', body: {}, session: 'Bearer s1' }]);
  });

  it('rejects with the error of the command', async () => {
    const error: WireError = { code: 'busy', message: 'wait' };
    answers = [refused(error, 409)];
    await expect(open().call('pack_use', {})).rejects.toEqual(error);
    expect(states).toEqual(['there']);
  });

  it('tells that nobody answers until somebody does', async () => {
    const platform = open();
    await expect(platform.call('packs_list', {})).rejects.toMatchObject({ code: 'disconnected' });
    expect(states).toEqual(['there', 'lost']);
    answers = [() => new Response('{}')];
    await settle(250);
    expect(states).toEqual(['there', 'lost', 'there']);
  });

  it('that is left ends at once, and nothing is lost', async () => {
    const left = new AbortController();
    answers = [(_, signal) => new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))];
    const called = expect(open().call('packs_list', {}, left.signal)).rejects.toMatchObject({ code: 'cancelled' });
    left.abort();
    await called;
    expect(states).toEqual(['there']);
  });

  it('tells that the program was started anew', async () => {
    answers = [refused({ code: 'signed_out', message: 'x' }, 401)];
    await expect(open().call('packs_list', {})).rejects.toMatchObject({ code: 'signed_out' });
    expect(states).toEqual(['there', 'signed_out']);
  });
});

describe('a stream', () => {
  it('tells events before and after the answer', async () => {
    const stream = new Stream();
    answers = [() => stream.response];
    const begun = open().stream('run_start', { request: { run: 'r' } }, hear);
    await settle(0);
    stream.line({ events: [event(1)] });
    stream.line({ answer: null });
    expect(await begun).toBeNull();
    stream.line({ events: [event(2), LAST] });
    stream.end();
    await settle(10_000);
    expect(told).toEqual([1, 2, 99]);
    expect(asked).toHaveLength(1);
  });

  it('that breaks off is taken up where it was, each event told once', async () => {
    const [first, second] = [new Stream(), new Stream()];
    answers = [() => first.response];
    const begun = open().stream('run_subscribe', { run: 'r' }, hear);
    await settle(0);
    first.line({ answer: { run: 'r', events: [event(1), event(2)], finished: false } });
    await begun;
    first.line({ events: [event(3)] });
    await settle(0);
    first.break();
    await settle(0);
    expect(states).toEqual(['there', 'lost']);
    answers = [() => new Response('{}'), () => second.response];
    await settle(250);
    expect(states).toEqual(['there', 'lost', 'there']);
    // The new stream's events overtake its answer.
    second.line({ events: [event(5)] });
    second.line({ answer: { run: 'r', events: [event(1), event(2), event(3), event(4)], finished: false } });
    second.line({ events: [LAST] });
    second.end();
    await settle(10_000);
    expect(told).toEqual([3, 4, 5, 99]);
    expect(asked.map(({ path }) => path).slice(-2)).toEqual(['/api/call/app_info', '/api/stream/run_subscribe']);
  });

  it('of jobs that breaks off is taken up with how they are now', async () => {
    const [first, second] = [new Stream(), new Stream()];
    const heard: string[] = [];
    const job = (id: string, done: number) => ({ id, done, kind: 'import' });
    answers = [() => first.response];
    const begun = open().stream<Job>('jobs_subscribe', {}, (jobs) =>
      heard.push(jobs.map(({ id, done }) => `${id} ${done}`).join()),
    );
    await settle(0);
    first.line({ answer: [job('a', 1)] });
    expect(await begun).toEqual([job('a', 1)]);
    first.line({ events: [job('b', 1)] });
    await settle(0);
    first.break();
    await settle(0);
    answers = [() => new Response('{}'), () => second.response];
    await settle(250);
    second.line({ answer: [job('a', 1), job('b', 7)] });
    second.line({ events: [job('a', 2)] });
    await settle(0);
    expect(heard).toEqual(['b 1', 'a 1,b 7', 'a 2']);
    expect(asked.at(-1)?.path).toBe('/api/stream/jobs_subscribe');
    second.end();
  });

  it('of jobs is left while nobody sees the page, and taken up with what ended meanwhile', async () => {
    const [first, second] = [new Stream(), new Stream()];
    const heard: string[] = [];
    const job = (id: string, finished: boolean) => ({ id, finished, kind: 'import' });
    const see = (is: boolean) => {
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(!is);
      document.dispatchEvent(new Event('visibilitychange'));
    };
    answers = [
      (_, left) => {
        left?.addEventListener('abort', () => first.break());
        return first.response;
      },
      () => second.response,
    ];
    const begun = open().stream<Job>('jobs_subscribe', {}, (jobs) =>
      heard.push(jobs.map(({ id, finished }) => `${id} ${finished}`).join()),
    );
    await settle(0);
    first.line({ answer: [job('a', false), job('b', false)] });
    await begun;
    see(false);
    await settle(60_000);
    expect([asked.length, states.at(-1)]).toEqual([1, 'there']);
    see(true);
    await settle(0);
    second.line({ answer: [job('b', false)] });
    await settle(0);
    expect(heard).toEqual(['a true,b false']);
    expect(states.at(-1)).toBe('there');
    second.end();
  });

  it('of a run that nobody knows any more is left', async () => {
    const first = new Stream();
    answers = [() => first.response];
    const begun = open().stream('run_start', { request: { run: 'r' } }, hear);
    await settle(0);
    first.line({ answer: null });
    await begun;
    first.break();
    await settle(0);
    answers = [refused({ code: 'signed_out', message: 'x' }, 401)];
    await settle(60_000);
    expect(states.at(-1)).toBe('signed_out');
    expect(asked).toHaveLength(2);
  });

  it('rejects with the error of the command, and when it ends without an answer', async () => {
    const error: WireError = { code: 'bad_request', message: 'no level' };
    const [first, second] = [new Stream(), new Stream()];
    answers = [() => first.response, () => second.response];
    const platform = open();
    const one = expect(platform.stream('run_start', { request: { run: 'r' } }, hear)).rejects.toEqual(error);
    await settle(0);
    first.line({ error });
    first.end();
    await one;
    const two = expect(platform.stream('run_start', { request: { run: 'r' } }, hear)).rejects.toMatchObject({
      code: 'disconnected',
    });
    await settle(0);
    second.end();
    await two;
  });
});

describe('the link', () => {
  it('buys a session that a reload keeps, and leaves the address', async () => {
    history.replaceState(null, '', '/#link=abc-1');
    answers = [() => new Response('{"session":"s2"}')];
    expect(await openSession()).toBe('s2');
    expect(asked).toEqual([{ path: '/api/session', body: { link: 'abc-1' }, session: null }]);
    expect(location.hash).toBe('');
    expect(await openSession()).toBe('s2');
    expect(asked).toHaveLength(1);
  });

  it('that was used already opens nothing', async () => {
    history.replaceState(null, '', '/#link=abc-1');
    answers = [refused({ code: 'signed_out', message: 'x' }, 401)];
    expect(await openSession()).toBeNull();
    expect(asked).toEqual([{ path: '/api/session', body: { link: 'abc-1' }, session: null }]);
  });
});

describe('links to the outside', () => {
  it('are web pages only, and asked for first: offline none is opened', async () => {
    const opened = vi.fn();
    vi.stubGlobal('open', opened);
    const error: WireError = { code: 'offline', message: 'the link needs example.org' };
    answers = [() => new Response('null'), refused(error, 409)];
    await open().open('https://example.org/');
    expect(opened).toHaveBeenCalledWith('https://example.org/', '_blank', 'noopener,noreferrer');
    expect(asked.at(-1)).toMatchObject({ path: '/api/call/link_opening', body: { address: 'https://example.org/' } });
    await expect(open().open('https://example.org/')).rejects.toEqual(error);
    expect(opened).toHaveBeenCalledTimes(1);
    await expect(open().open('/etc')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(open().open('javascript:alert(1)')).rejects.toMatchObject({ code: 'bad_request' });
  });
});

it('files of one name from different places stay apart, folders with their own files', () => {
  const sets = (...paths: string[]) => apart(paths.map((path) => ({ path })));
  expect(sets('a.json', 'b.json', 'a.json', 'A.JSON')).toEqual([0, 0, 1, 2]);
  expect(sets('run/L1.json', 'run/L2.json', 'x.csv', 'run/L1.json', 'run/L3.json')).toEqual([0, 0, 0, 1, 1]);
});
