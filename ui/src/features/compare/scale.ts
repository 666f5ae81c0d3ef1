// The scale of differences of scores: it has 0 on it, and ticks at round numbers of points.
import { signed } from '../../shared/format';

export interface Scale {
  /** Differences of scores, from the left. */
  ticks: number[];
  /** Where a difference stands, in hundredths of the width. */
  at: (difference: number) => number;
  /** A tick in points. */
  said: (tick: number) => string;
}

/** Points between two ticks. */
const STEPS = [1, 2, 5, 10, 20, 50];
const MOST_TICKS = 9;

export function scaleOf(differences: readonly number[]): Scale {
  const low = Math.min(0, ...differences) * 100;
  const high = Math.max(0, ...differences) * 100;
  const step = STEPS.find((one) => (high - low) / one <= MOST_TICKS - 2) ?? 50;
  const [from, to] = [Math.floor(low / step), Math.ceil(high / step)];
  // Neither end of the picture is 0: a difference of nothing has two sides.
  const [left, right] = [Math.min(from, -1), Math.max(to, 1)];
  const ticks = Array.from({ length: right - left + 1 }, (_, at) => ((left + at) * step) / 100);
  // The ends have room for half a mark.
  const at = (difference: number) => 3 + ((difference * 100 - left * step) / ((right - left) * step)) * 94;
  return { ticks, at, said: (tick) => signed(tick * 100, 0) };
}
