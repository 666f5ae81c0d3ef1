// A verdict of the scripted host: a run on sample data with three calls that were not recorded.
import type { Comparability, Fact } from '../ipc/gen';

const known = <T>(value: T): Fact<T> => ({ value, reason: null });

export const COMPARABILITY: Comparability = {
  facts: {
    model: 'baseline/golden',
    pack: known({ name: 'starter', version: '1.0.0' }),
    tasks_sha256: known('a'.repeat(64)),
    records_sha256: known('b'.repeat(64)),
    tools: known({ PlaceSearch_kakao: 'c'.repeat(64) }),
    settings: known({
      protocol: 'leaderboard',
      repetitions: 1,
      max_steps: 10,
      timeout_s: 60,
      temperature: 0.7,
      max_tokens: 1024,
      full_rollout: false,
      effort: null,
      seed: null,
      constrained: false,
    }),
    cache: known({ source: 'pack', snapshot: null, sha256: null }),
    tasks: known([{ level: 'L1', count: 6, ids: [] }]),
    attempts: known({ planned: 6, done: 6, failed: 0 }),
    shortened: 0,
    calls: known({
      basis: 'recorded',
      against: null,
      levels: [
        { level: 'L1', attempts: 6, touched: 2, hit: 41, miss: 3, injected: 8, refused: 0, live: 0, overlay: 0 },
      ],
      misses: [
        { level: 'L1', task: 'L1-002', repetition: 1, tool: 'PlaceSearch_kakao', arguments: { keyword: '국밥' } },
      ],
    }),
    scoring: null,
  },
  leaderboard: {
    grade: 'not_comparable',
    findings: [
      {
        code: 'other_tasks',
        aspect: 'tasks',
        place: 'tasks_sha256',
        grade: 'not_comparable',
        reason: 'the tasks of pack starter@1.0.0 are not the published ones',
        remedy: 'import the published repository with `koab pack import` and run with that pack',
      },
      {
        code: 'low_hit_rate',
        aspect: 'recordings',
        place: 'calls',
        grade: 'comparable',
        reason: '3 of 44 calls found no cached response, in 2 of 6 attempts: too few to make two models differ',
        remedy: '',
      },
    ],
  },
};
