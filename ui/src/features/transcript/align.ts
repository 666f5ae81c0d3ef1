// Two transcripts of one task beside each other: which step answers to which, and how the two differ.
//
// What both were given comes first and is laid side by side as it stands. The models' own steps are aligned so that as
// much as possible agrees (Needleman and Wunsch): the same calls best, then the same tools, then a step of the same sort.
import type { Transcript, TranscriptAttempt, TranscriptTurn } from '../../ipc/gen';

export type PairState = 'same' | 'arguments' | 'results' | 'text' | 'calls' | 'only_left' | 'only_right';

/** A row of the comparison: places among each attempt's turns. */
export interface Pair {
  left: number | null;
  right: number | null;
  state: PairState;
}

interface Side {
  attempt: TranscriptAttempt;
  turn: TranscriptTurn;
}

/** The rows, in order. A transcript without an attempt has no turns. */
export function align(left: Transcript, right: Transcript): Pair[] {
  const [a, b] = [left.attempt, right.attempt];
  const given = (attempt: TranscriptAttempt | null) => places(attempt, (turn) => turn.step === null);
  const own = (attempt: TranscriptAttempt | null) => places(attempt, (turn) => turn.step !== null);
  const [givenLeft, givenRight] = [given(a), given(b)];
  const rows: Pair[] = [];
  for (let i = 0; i < Math.max(givenLeft.length, givenRight.length); i++) {
    rows.push(pair(a, b, givenLeft[i] ?? null, givenRight[i] ?? null));
  }
  return [...rows, ...steps(a, b, own(a), own(b))];
}

function places(attempt: TranscriptAttempt | null, wanted: (turn: TranscriptTurn) => boolean): number[] {
  return (attempt?.turns ?? []).flatMap((turn, i) => (wanted(turn) ? [i] : []));
}

function steps(a: TranscriptAttempt | null, b: TranscriptAttempt | null, left: number[], right: number[]): Pair[] {
  const side = (attempt: TranscriptAttempt | null, i: number | undefined): Side | null => {
    const turn = i === undefined ? undefined : attempt?.turns[i];
    return attempt && turn ? { attempt, turn } : null;
  };
  const likeness = (i: number, j: number) => alike(side(a, left[i]), side(b, right[j]));
  // The best sum from each pair of ends on; a step that stands alone adds nothing.
  const best = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = best[i];
      if (row) row[j] = Math.max(at(i + 1, j + 1) + likeness(i, j), at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const both = i < left.length && j < right.length;
    const like = both ? likeness(i, j) : 0;
    if (both && like > 0 && at(i, j) === at(i + 1, j + 1) + like) {
      rows.push(pair(a, b, left[i++] ?? null, right[j++] ?? null));
    } else if (i < left.length && (j >= right.length || at(i, j) === at(i + 1, j))) {
      rows.push({ left: left[i++] ?? null, right: null, state: 'only_left' });
    } else rows.push({ left: null, right: right[j++] ?? null, state: 'only_right' });
  }
  return rows;
}

function alike(a: Side | null, b: Side | null): number {
  if (!a || !b) return 0;
  const [tools, others] = [toolsOf(a), toolsOf(b)];
  if (tools.length === 0 && others.length === 0) return 3;
  if (tools.length === 0 || others.length === 0) return 0;
  if (callsOf(a) === callsOf(b)) return 4;
  if (String(tools) === String(others)) return 3;
  return tools.some((tool) => others.includes(tool)) ? 1 : 0;
}

function pair(
  a: TranscriptAttempt | null,
  b: TranscriptAttempt | null,
  left: number | null,
  right: number | null,
): Pair {
  const [turn, other] = [left === null ? undefined : a?.turns[left], right === null ? undefined : b?.turns[right]];
  if (!a || !turn || !b || !other) return { left, right, state: turn ? 'only_left' : 'only_right' };
  return { left, right, state: difference({ attempt: a, turn }, { attempt: b, turn: other }) };
}

function difference(a: Side, b: Side): PairState {
  if (String(toolsOf(a)) !== String(toolsOf(b))) return 'calls';
  if (callsOf(a) !== callsOf(b)) return 'arguments';
  if (resultsOf(a) !== resultsOf(b)) return 'results';
  return a.turn.text.trim() === b.turn.text.trim() && a.turn.speaker === b.turn.speaker ? 'same' : 'text';
}

const called = ({ attempt, turn }: Side) => turn.calls.flatMap((i) => attempt.calls[i] ?? []);
const toolsOf = (side: Side) => called(side).map(({ tool }) => tool);
const callsOf = (side: Side) => canonical(called(side).map(({ tool, arguments: args }) => [tool, args]));
const resultsOf = (side: Side) => canonical([side.turn.content, called(side).map(({ result }) => result)]);

/** One spelling for equal values: keys in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  );
}
