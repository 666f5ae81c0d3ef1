// A command that streams, over connections that may break: what the page is told is what the run did, each event once.
import type { RunEvent, RunSnapshot, WireError } from '../ipc/types';
import { toWireError } from '../ipc/errors';
import { locale } from '../shared/locale.svelte';
import type { HttpServer, Line } from './httpServer';
import type { OnEvents } from './types';

/** Calls a streaming command. When its stream breaks off later, the run that it watches is subscribed to again. */
export class Watch {
  #server: HttpServer;
  #onEvents: OnEvents;
  /** Events of the run that the page has. */
  #told = 0;
  #over = false;

  constructor(server: HttpServer, onEvents: OnEvents) {
    this.#server = server;
    this.#onEvents = onEvents;
  }

  /** Answers what the command answers; events may come before, and go on after that. */
  async begin(command: string, args: Record<string, unknown>): Promise<unknown> {
    const lines = this.#server.lines(command, args);
    const answer = await answered(lines, (events) => this.#tell(events));
    if (command === 'run_subscribe') this.#count((answer as RunSnapshot).events);
    void this.#follow(lines, runOf(command, args));
    return answer;
  }

  async #follow(lines: AsyncGenerator<Line>, run: string | null): Promise<void> {
    for (let current: AsyncGenerator<Line> | null = lines; current; ) {
      try {
        for await (const line of current) if ('events' in line) this.#tell(line.events);
      } catch {
        // The connection tells it; here it is an end like another, only too early.
      }
      current = run === null || this.#over ? null : await this.#takeUp(run);
    }
  }

  /** The stream of the run's further events, once what was missed is told; `null` when nobody knows the run. */
  async #takeUp(run: string): Promise<AsyncGenerator<Line> | null> {
    while (await this.#server.returned()) {
      const lines = this.#server.lines('run_subscribe', { run });
      const early: RunEvent[] = [];
      try {
        const snapshot = (await answered(lines, (events) => early.push(...events))) as RunSnapshot;
        this.#tell([...snapshot.events, ...early].slice(this.#told));
        return lines;
      } catch (error) {
        if (toWireError(error).code !== 'disconnected') return null;
      }
    }
    return null;
  }

  #tell(events: RunEvent[]): void {
    if (events.length === 0) return;
    this.#count(events);
    this.#onEvents(events);
  }

  #count(events: RunEvent[]): void {
    this.#told += events.length;
    this.#over ||= events.some(({ kind }) => kind.type === 'run_finished');
  }
}

/** Reads up to the answer; rejects with the command's error. */
async function answered(lines: AsyncGenerator<Line>, early: (events: RunEvent[]) => void): Promise<unknown> {
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw { code: 'disconnected', message: locale.t.connection.lost } satisfies WireError;
    if ('error' in line) throw line.error;
    if ('answer' in line) return line.answer;
    early(line.events);
  }
}

/** The run that a streaming command watches. */
function runOf(command: string, args: Record<string, unknown>): string | null {
  if (command === 'run_subscribe') return String(args['run']);
  if (command === 'run_start') return (args['request'] as { run: string }).run;
  return null;
}
