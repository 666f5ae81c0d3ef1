// The run that a newcomer is offered: the built-in tasks, played by the built-in baseline, scored without a judge.
import type { Level, RunRequest } from '../ipc/gen';

export const STARTER = 'starter';

export function firstRun(levels: Level[]): RunRequest {
  return {
    run: crypto.randomUUID(),
    pack: STARTER,
    model: 'baseline/golden',
    base_url: null,
    levels,
    protocol: 'leaderboard',
    repetitions: 1,
    concurrency: null,
    score: { scorers: ['leaderboard'], judges: [], judge_base_url: null },
  };
}
