// Figures of tool calls that are not written down because others give them.
import type { CallFacts, LevelCalls } from '../../ipc/gen';
import { NONE, percent } from '../format';

const COUNTS = ['attempts', 'touched', 'hit', 'miss', 'injected', 'refused', 'live', 'overlay'] as const;

/** All levels together. */
export function whole({ levels }: CallFacts): LevelCalls {
  const sums = COUNTS.map((count) => [count, levels.reduce((sum, level) => sum + level[count], 0)]);
  return { level: null, ...(Object.fromEntries(sums) as Omit<LevelCalls, 'level'>) };
}

/** Share of the calls that looked for a record and found one, in words; a dash when none looked. */
export function rate({ hit, miss, live, overlay }: LevelCalls): string {
  const asked = hit + miss + live + overlay;
  return asked === 0 ? NONE : percent(hit / asked);
}
