import type { AdaptiveView, Job } from '../../ipc/gen';

/** One that is over and came to what was wished. */
export const VIEW: AdaptiveView = {
  id: '1790000000000',
  begun_ms: 1_790_000_000_000,
  is_over: true,
  is_here: false,
  scorer: 'leaderboard',
  judges: ['lab/judge'],
  expected: 20,
  found: {
    metric: 'SR',
    model: 'lab/a',
    pack: 'starter@1.0.0',
    wished: 0.1,
    mean: 0.5,
    half_width: 0.09,
    asked: 2,
    items: 28,
    sentence: 'SR 0.5',
    stopped: null,
    tasks: [
      { task: 'L1-001', solved: true, run: 'lab_a/1' },
      { task: 'L1-002', solved: false, run: 'lab_a/1' },
    ],
    unscored: ['L2-001'],
    models: ['lab/b', 'lab/c', 'lab/d', 'lab/e'],
    usd: 0.25,
    runs: ['lab_a/1'],
  },
};

/** The same, made by this process. */
export const HERE: AdaptiveView = { ...VIEW, is_over: false, is_here: true };

/** Its job. */
export const JOB: Job = {
  id: 'a-1',
  kind: 'adaptive',
  about: [VIEW.id, 'lab/a'],
  done: 3,
  total: 20,
  since_ms: 1000,
  took_ms: 3000,
  news: 1,
  in_bytes: false,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};
