import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSession } from './httpServer';
import { answerTabs, askTabs } from './tabs';

/** The channels of one origin: a message reaches every other one, later. */
class Channel {
  static all: Channel[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(readonly name: string) {
    Channel.all.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.all)
      if (other !== this && other.name === this.name) setTimeout(() => other.onmessage?.({ data }), 1);
  }
  close(): void {
    Channel.all = Channel.all.filter((one) => one !== this);
  }
}

/** The sessions that the server knows. */
let known: string[] = [];

beforeEach(() => {
  [Channel.all, known] = [[], ['good']];
  sessionStorage.clear();
  history.replaceState(null, '', '/#/reports/a');
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const session = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    return new Response('{}', { status: known.includes(session) ? 200 : 401 });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function opened(): Promise<string | null> {
  const session = openSession();
  await vi.runAllTimersAsync();
  return session;
}

describe('a new tab', () => {
  it.each([
    ['has the session of a live tab', ['good'], 'good'],
    ['has no session where no other tab is open', [], null],
    ['has no session where the other tab is of an earlier start', ['old'], null],
    ['takes the session that the server accepts', ['old', 'good', 'good'], 'good'],
  ])('%s', async (_, others, session) => {
    others.forEach(answerTabs);
    expect(await opened()).toBe(session);
    expect(sessionStorage.getItem('koab.session')).toBe(session);
    // What was asked for stays in the address.
    expect(location.hash).toBe('#/reports/a');
  });

  it('answers the next one', async () => {
    const close = answerTabs('good');
    await opened();
    close();
    sessionStorage.clear();
    expect(await opened()).toBe('good');
  });

  it('asks no tab while it has a session of its own', async () => {
    sessionStorage.setItem('koab.session', 'own');
    const heard = vi.fn();
    new Channel('koab.session').onmessage = heard;
    expect(await opened()).toBe('own');
    expect(heard).not.toHaveBeenCalled();
  });

  it('has no session in a browser without channels', async () => {
    vi.stubGlobal('BroadcastChannel', undefined);
    expect(await askTabs(async () => true)).toBeNull();
  });
});
