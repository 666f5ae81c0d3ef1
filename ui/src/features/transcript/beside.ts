// A call's arguments beside the golden ones, as a reader sees them: what is compared, and what can
// cost points.
import type { ArgumentBeside, ArgumentState, AtlasSorted, Level, TranscriptCall } from '../../ipc/gen';

/** `filled`: the golden value names what an earlier step finds, such as `{x}`, so every value may be right. */
export type ShownState = ArgumentState | 'filled';

export interface ShownArgument extends Omit<ArgumentBeside, 'state'> {
  state: ShownState;
  /** How loud the row is: `loss` where a metric of the level may take points for it. */
  weight: 'loss' | 'doubt' | 'none';
}

/** The only level with metrics that grade arguments, `CallEM` and `ArgAcc`. */
const GRADED_LEVEL: Level = 'L1';
const PLACEHOLDER = /\{[\p{L}_][\p{L}\p{N}_.[\]]*\}/u;

/** Whether a metric of the level grades arguments. */
export const gradesArguments = (level: Level): boolean => level === GRADED_LEVEL;

const isPlaceholder = (golden: unknown): boolean => typeof golden === 'string' && PLACEHOLDER.test(golden);

/** The rows of a call's comparison. Empty for a call that no golden call stands for. */
export function argumentsBeside({ place, beside }: TranscriptCall, level: Level): ShownArgument[] {
  if (place === 'extra' || place === 'repeat') return [];
  return beside.map(({ state: found, ...rest }) => {
    const state = found === 'wrong' && isPlaceholder(rest.golden) ? 'filled' : found;
    return { ...rest, state, weight: gradesArguments(level) ? WEIGHTS[state] : 'none' };
  });
}

const WEIGHTS: Record<ShownState, ShownArgument['weight']> = {
  same: 'none',
  filled: 'none',
  default: 'doubt',
  wrong: 'loss',
  missing: 'loss',
  extra: 'loss',
};

/** Whether the task is solved best without a call, so that a golden call that was not made is no fault. */
export const needsNoCall = (sorted: AtlasSorted | null | undefined): boolean =>
  sorted?.losses.some(({ unreachable }) => unreachable === 'no_call_needed') ?? false;
