// The events of a run, without any clock or randomness: the scripted host plays them, tests read them.
import type { Level, RunEvent, RunEventKind, RunRequest } from '../ipc/gen';
import { tasksOf } from './fakeData';

/** Milliseconds between two events of the script. */
const PACE = 40;
const IN_FLIGHT = 4;

/**
 * Every event of a complete run. Attempts overlap and end out of order; the first task of L3 misses a recording, the
 * last of L4 fails for technical reasons and is tried again before, and the second of L7 never answers.
 */
export function script(request: RunRequest, folder: string, startedAt: number): RunEvent[] {
  const plans = request.levels.map((level) => ({ level, tasks: tasksOf(level) }));
  const jobs = plans.flatMap(({ level, tasks }) =>
    tasks.flatMap((task) =>
      Array.from({ length: request.repetitions }, (_, index) => ({ level, task, repetition: index + 1 })),
    ),
  );
  const kinds: RunEventKind[] = [
    {
      type: 'run_started',
      model: request.model,
      pack: `${request.pack ?? 'starter'}@1.0.0`,
      protocol: request.protocol,
      levels: plans,
      repetitions: request.repetitions,
      concurrency: request.concurrency ?? IN_FLIGHT,
      attempts: jobs.length,
      price: null,
      max_cost: request.max_cost ?? null,
      max_total_tokens: request.max_total_tokens ?? null,
    },
  ];
  let failed = 0;
  for (let at = 0; at < jobs.length; at += IN_FLIGHT) {
    const together = jobs.slice(at, at + IN_FLIGHT);
    kinds.push(...together.map((job): RunEventKind => ({ type: 'attempt_started', ...job })));
    const middles = together.map((job) => middle(job));
    kinds.push(...middles.flat());
    // The last to start is the first to end.
    for (const job of [...together].reverse()) {
      const end = ending(job);
      if (end.type === 'attempt_finished' && end.stop === 'model_failed') failed += 1;
      kinds.push(end);
    }
  }
  kinds.push({ type: 'run_finished', outcome: 'completed', done: jobs.length, failed, folder, reason: null });
  return kinds.map((kind, index) => ({
    at_ms: startedAt + index * PACE,
    elapsed_ms: index * PACE,
    run: request.run,
    kind,
  }));
}

interface Job {
  level: Level;
  task: string;
  repetition: number;
}

const missesRecording = ({ task }: Job) => task === 'L3-001';
const serverFails = ({ task }: Job) => task === 'L4-005';
const neverAnswers = ({ task }: Job) => task === 'L7-002';

function middle(job: Job): RunEventKind[] {
  const { task, repetition, level } = job;
  if (serverFails(job)) {
    return [{ type: 'waiting', task, repetition, reason: 'the server answered 503', wait_ms: 2000, until_ms: null }];
  }
  const source = level === 'L5' ? 'injected' : missesRecording(job) ? 'miss' : 'hit';
  return [
    {
      type: 'step_finished',
      task,
      repetition,
      step: 1,
      calls: 1,
      prompt_tokens: 310,
      completion_tokens: 24,
      ttft_ms: 80,
      latency_ms: 240,
      finish: 'tool_calls',
    },
    {
      type: 'tool_answered',
      task,
      repetition,
      step: 1,
      tool: 'PlaceSearch_kakao',
      call_id: 'call_1',
      ok: source === 'hit',
      source,
      took_ms: 0.2,
    },
    {
      type: 'step_finished',
      task,
      repetition,
      step: 2,
      calls: 0,
      prompt_tokens: 420,
      completion_tokens: 51,
      ttft_ms: null,
      latency_ms: 310,
      finish: 'stop',
    },
  ];
}

function ending(job: Job): RunEventKind {
  const error = serverFails(job) ? 'the server answered 503 four times' : null;
  const success = !serverFails(job) && !neverAnswers(job);
  return {
    type: 'attempt_finished',
    ...job,
    success,
    stop: success ? 'answered' : serverFails(job) ? 'model_failed' : 'step_limit',
    cut_off: false,
    steps: error ? 0 : 2,
    calls: error ? 0 : 1,
    total_tokens: error ? 0 : 805,
    took_ms: 400,
    error,
  };
}
