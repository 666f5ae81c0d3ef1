// Requests to `koab serve`: the session in every header, its errors as `WireError`, and what is known of the connection.
import { toWireError } from '../ipc/errors';
import type { Job, RunEvent, WireError } from '../ipc/gen';
import { locale } from '../shared/locale.svelte';
import type { Connection } from './connection';
import { answerTabs, askTabs } from './tabs';

/** What a stream tells beside its answer. */
export type News = RunEvent | Job;

/** One line of a stream: what the command answered or why it did not, or what goes on. */
export type Line = { answer: unknown } | { error: WireError } | { events: News[] };

/** Milliseconds until the next try while nobody answers: soon at first, then every few seconds. */
const TRIES = [250, 500, 1_000, 2_000, 5_000];

// Per tab and per port, which a cookie is not: other programs on this computer must not be sent it.
const KEPT = 'koab.session';

/** What a stream ends with that the page itself has left. */
const LEFT: WireError = { code: 'cancelled', message: '' };

const LINK = /^#link=([\w-]+)$/;

/**
 * The session of this tab: bought with the link in the address, which is taken out of it, kept from before a reload, or
 * that of another tab of this page; `null` when there is none.
 */
export async function openSession(): Promise<string | null> {
  // A link opened in a tab that shows the page already changes the address and loads nothing.
  addEventListener('hashchange', () => LINK.test(location.hash) && location.reload());
  const link = LINK.exec(location.hash)?.[1];
  if (link) {
    history.replaceState(null, '', location.pathname);
    const answered = await post('/api/session', JSON.stringify({ link })).catch(() => null);
    if (answered?.ok) {
      const { session } = (await answered.json()) as { session: string };
      sessionStorage.setItem(KEPT, session);
    }
  }
  const session = sessionStorage.getItem(KEPT) ?? (await askTabs(isAccepted));
  if (session !== null) {
    sessionStorage.setItem(KEPT, session);
    answerTabs(session);
  }
  return session;
}

/** Whether the server knows a session. */
async function isAccepted(session: string): Promise<boolean> {
  const answered = await post('/api/call/app_info', '{}', session).catch(() => null);
  return answered?.ok ?? false;
}

export class HttpServer {
  #session: string;
  #connection: Connection;
  #trying: Promise<void> | null = null;

  constructor(session: string, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
  }

  /** Sends a body and answers the response once it is a good one; rejects with a `WireError`. */
  async send(path: string, body: BodyInit, left?: AbortSignal): Promise<Response> {
    let response: Response;
    try {
      response = await post(path, body, this.#session, left);
    } catch {
      throw left?.aborted ? LEFT : this.#lost();
    }
    if (response.ok) {
      this.#connection.tell('there');
      return response;
    }
    const error = toWireError(await response.json().catch(() => response.statusText));
    this.#connection.tell(error.code === 'signed_out' ? 'signed_out' : 'there');
    throw error;
  }

  /** The lines of a stream until it ends or is `left`; rejects with a `WireError` when it breaks off. */
  async *lines(command: string, args: Record<string, unknown>, left?: AbortSignal): AsyncGenerator<Line> {
    const response = await this.send(`/api/stream/${command}`, JSON.stringify(args), left);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    while (reader) {
      const { value, done } = await reader.read().catch(() => {
        throw left?.aborted ? LEFT : this.#lost();
      });
      if (done) return;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) yield JSON.parse(part) as Line;
    }
  }

  /** Over when somebody answers again: `true` when it is the program that knows us. At once where nothing was lost. */
  async returned(): Promise<boolean> {
    await this.#trying;
    return this.#connection.state === 'there';
  }

  #lost(): WireError {
    this.#connection.tell('lost');
    this.#trying ??= this.#ask().finally(() => (this.#trying = null));
    return { code: 'disconnected', message: locale.t.connection.lost };
  }

  async #ask(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      await new Promise((done) => setTimeout(done, TRIES[Math.min(turn, TRIES.length - 1)]));
      const answered = await post('/api/call/app_info', '{}', this.#session).catch(() => null);
      if (!answered) continue;
      this.#connection.tell(answered.status === 401 ? 'signed_out' : 'there');
      return;
    }
  }
}

function post(path: string, body: BodyInit, session?: string, signal?: AbortSignal): Promise<Response> {
  const headers: HeadersInit = session ? { authorization: `Bearer ${session}` } : {};
  return fetch(path, { method: 'POST', body, headers, cache: 'no-store', redirect: 'error', signal: signal ?? null });
}
