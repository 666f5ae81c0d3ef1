// A command that streams, over connections that may break: what the page is told is what went on, each event of a run once.
import type { Job, RunSnapshot, WireError } from '../ipc/gen';
import { toWireError } from '../ipc/errors';
import { locale } from '../shared/locale.svelte';
import type { HttpServer, Line, News } from './httpServer';
import type { OnEvents } from './types';

/** What is subscribed to again: a run, or the jobs. */
interface Subject {
  command: 'run_subscribe' | 'jobs_subscribe';
  args: Record<string, unknown>;
}

/** Calls a streaming command. When its stream breaks off later, what it watches is subscribed to again. */
export class Watch {
  #server: HttpServer;
  #onEvents: OnEvents<News>;
  /** Events of the run that the page has. */
  #told = 0;
  #over = false;
  /** Jobs that the page has as under way. */
  #jobs = new Map<string, Job>();
  /** Ends the stream of a page that nobody sees. */
  #leave = new AbortController();

  constructor(server: HttpServer, onEvents: OnEvents<News>) {
    this.#server = server;
    this.#onEvents = onEvents;
  }

  /** Answers what the command answers; events may come before, and go on after that. */
  async begin(command: string, args: Record<string, unknown>): Promise<unknown> {
    const lines = this.#server.lines(command, args, this.#leave.signal);
    const answer = await answered(lines, (events) => this.#tell(events));
    if (command === 'run_subscribe') this.#count((answer as RunSnapshot).events);
    if (command === 'jobs_subscribe') {
      this.#keep(answer as Job[]);
      // A browser has six connections for a server, and each tab would hold one for as long as it is open.
      document.addEventListener('visibilitychange', () => document.hidden && this.#leave.abort());
      if (document.hidden) this.#leave.abort();
    }
    void this.#follow(lines, subjectOf(command, args));
    return answer;
  }

  async #follow(lines: AsyncGenerator<Line>, subject: Subject | null): Promise<void> {
    for (let current: AsyncGenerator<Line> | null = lines; current;) {
      try {
        for await (const line of current) if ('events' in line) this.#tell(line.events);
      } catch {
        // The connection tells it; here it is an end like another, only too early.
      }
      current = subject === null || this.#over ? null : await this.#takeUp(subject);
    }
  }

  /** The stream of what goes on further, once what was missed is told; `null` when nobody knows the run. */
  async #takeUp({ command, args }: Subject): Promise<AsyncGenerator<Line> | null> {
    while (await this.#server.returned()) {
      if (command === 'jobs_subscribe') await seen();
      if (this.#leave.signal.aborted) this.#leave = new AbortController();
      const lines = this.#server.lines(command, args, this.#leave.signal);
      const early: News[] = [];
      try {
        const answer = await answered(lines, (events) => early.push(...events));
        // A job is told as it is now, so one that has not changed costs nothing to tell again.
        if (command === 'jobs_subscribe')
          this.#tell([...this.#forgotten(answer as Job[]), ...(answer as Job[]), ...early]);
        else this.#tell([...(answer as RunSnapshot).events, ...early].slice(this.#told));
        return lines;
      } catch (error) {
        if (!['disconnected', 'cancelled'].includes(toWireError(error).code)) return null;
      }
    }
    return null;
  }

  /** Jobs that were under way and are over for so long that the engine does not tell of them any more. */
  #forgotten(now: Job[]): Job[] {
    const known = new Set(now.map(({ id }) => id));
    return [...this.#jobs.values()].filter(({ id }) => !known.has(id)).map((job) => ({ ...job, finished: true }));
  }

  #keep(news: News[]): void {
    for (const job of news) {
      if (!('finished' in job)) continue;
      if (job.finished) this.#jobs.delete(job.id);
      else this.#jobs.set(job.id, job);
    }
  }

  #tell(events: News[]): void {
    if (events.length === 0) return;
    this.#count(events);
    this.#keep(events);
    this.#onEvents(events);
  }

  #count(events: News[]): void {
    this.#told += events.length;
    this.#over ||= events.some(({ kind }) => typeof kind === 'object' && kind.type === 'run_finished');
  }
}

/** Over when somebody sees the page. */
function seen(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((shown) => document.addEventListener('visibilitychange', () => shown(), { once: true }));
}

/** Reads up to the answer; rejects with the command's error. */
async function answered(lines: AsyncGenerator<Line>, early: (events: News[]) => void): Promise<unknown> {
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw { code: 'disconnected', message: locale.t.connection.lost } satisfies WireError;
    if ('error' in line) throw line.error;
    if ('answer' in line) return line.answer;
    early(line.events);
  }
}

/** What a streaming command watches. */
function subjectOf(command: string, args: Record<string, unknown>): Subject | null {
  if (command === 'run_subscribe' || command === 'jobs_subscribe') return { command, args };
  if (command === 'run_start')
    return { command: 'run_subscribe', args: { run: (args['request'] as { run: string }).run } };
  return null;
}
