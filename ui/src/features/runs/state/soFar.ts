// What attempts came to before this page began to look: one event a task, in place of all of theirs.
import type { StopReason, TaskSoFar } from '../../../ipc/gen';
import { cellStateOf, stateAfter } from './outcome';
import type { Attempt, Cell, Counters } from './state';

const STOPS: Readonly<Record<string, StopReason>> = {
  a: 'answered',
  c: 'cut_off',
  s: 'step_limit',
  t: 'timed_out',
  m: 'model_failed',
  g: 'agent_failed',
  b: 'budget_spent',
  x: 'cancelled',
};

/** How an attempt ended, by its letter in `TaskSoFar.ends`; attempts that ended alike share one. */
const ENDED: ReadonlyMap<string, Attempt> = new Map(
  Object.entries(STOPS).flatMap(([letter, stop]) => [
    [letter, { state: cellStateOf(true, stop), steps: 0, waitingFor: null }],
    [letter.toUpperCase(), { state: cellStateOf(false, stop), steps: 0, waitingFor: null }],
  ]),
);

/** A task's cell with the attempts that have ended, how many they are and how many of them failed for technical reasons. */
export function cellSoFar(cell: Cell, soFar: TaskSoFar): { cell: Cell; finished: number; failed: number } {
  const attempts = cell.attempts.slice();
  const tally = { ...cell.tally };
  let [finished, failed] = [0, 0];
  for (let repetition = 1; repetition < attempts.length; repetition += 1) {
    const ended = ENDED.get(soFar.ends[repetition - 1] ?? '');
    const before = attempts[repetition]?.state ?? 'waiting';
    // An attempt that is left out had not begun; one that has ended was there before.
    if (!ended || (before !== 'waiting' && before !== 'left_out')) continue;
    attempts[repetition] = ended;
    tally[before] -= 1;
    tally[ended.state] += 1;
    finished += 1;
    if (ended.state === 'failed') failed += 1;
  }
  const ended: Cell = {
    ...cell,
    attempts,
    tally,
    state: stateAfter(tally),
    steps: (cell.steps ?? 0) + soFar.steps,
    calls: (cell.calls ?? 0) + soFar.calls,
    tokens: (cell.tokens ?? 0) + soFar.total_tokens,
    error: soFar.error ?? cell.error,
  };
  return { cell: ended, finished, failed };
}

/** Sums with those of a task's ended attempts. */
export function countersSoFar(counters: Counters, soFar: TaskSoFar): Counters {
  const { answers } = soFar;
  return {
    steps: counters.steps + soFar.steps,
    calls: counters.calls + soFar.calls,
    promptTokens: sum(counters.promptTokens, soFar.prompt_tokens),
    completionTokens: sum(counters.completionTokens, soFar.completion_tokens),
    unreported: counters.unreported + soFar.unreported,
    hit: counters.hit + answers.hit,
    miss: counters.miss + answers.miss,
    injected: counters.injected + answers.injected,
    refused: counters.refused + answers.refused,
    live: counters.live + answers.live,
    overlay: counters.overlay + answers.overlay,
  };
}

/** What is known of both; `null` when nothing is. */
export function sum(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}
