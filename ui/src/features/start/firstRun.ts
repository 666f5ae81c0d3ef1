// The first run as the first start asks for it.
import type { Level, RunRequest } from '../../ipc/gen';

/** Follows the golden path of each task: a smoke test, no measurement. */
export const BASELINE = 'baseline/golden';

export interface FirstRun {
  pack: string;
  /** `connection/model`, or the baseline. */
  model: string;
  levels: Level[];
  /** `connection/model` each; nobody judges without. */
  judges: string[];
}

/** The request for it, scored when it ends. */
export function requestOf({ pack, model, levels, judges }: FirstRun): RunRequest {
  return {
    run: crypto.randomUUID(),
    pack,
    model,
    base_url: null,
    levels,
    protocol: 'leaderboard',
    repetitions: 1,
    concurrency: null,
    score: { scorers: ['leaderboard'], judges, judge_base_url: null },
  };
}
