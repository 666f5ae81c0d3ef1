// Figures of tool calls that are not written down because others give them.
import type { CallFacts, LevelCalls } from '../../ipc/gen';
import { NONE, percent } from '../format';

/** All levels together. */
export function whole({ levels }: CallFacts): LevelCalls {
  const none: LevelCalls = {
    level: null,
    attempts: 0,
    touched: 0,
    hit: 0,
    miss: 0,
    injected: 0,
    refused: 0,
    live: 0,
    overlay: 0,
  };
  return levels.reduce(
    (sum, level) => ({
      level: null,
      attempts: sum.attempts + level.attempts,
      touched: sum.touched + level.touched,
      hit: sum.hit + level.hit,
      miss: sum.miss + level.miss,
      injected: sum.injected + level.injected,
      refused: sum.refused + level.refused,
      live: sum.live + level.live,
      overlay: sum.overlay + level.overlay,
    }),
    none,
  );
}

/** Share of the calls that looked for a record and found one, in words; a dash when none looked. */
export function rate({ hit, miss, live, overlay }: LevelCalls): string {
  const asked = hit + miss + live + overlay;
  return asked === 0 ? NONE : percent(hit / asked);
}
