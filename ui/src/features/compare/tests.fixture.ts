// What the engine answers about tests between reports, for the tests of this screen.
import type { MatrixView, PairConclusion, PairTest, PairView, PairsView, RanksView } from '../../ipc/gen';

const NOTHING: PairTest = {
  level: null,
  metric: 'SR',
  variant: null,
  tasks: 91,
  left_out: 0,
  first: null,
  second: null,
  difference: null,
  interval: null,
  no_interval: null,
  won: 0,
  lost: 0,
  tied: 0,
  test: null,
  p: null,
  holm: null,
  corrected_over: null,
  effect: null,
  effect_kind: null,
  no_effect: null,
  needs: null,
  no_needs: null,
  tasks_for_margin: null,
  verdict: 'untested',
  reason: null,
};

const SR: PairTest = {
  ...NOTHING,
  first: 0.5,
  second: 0.7,
  difference: 0.2,
  interval: { low: 0.08, high: 0.32, method: 'bootstrap' },
  won: 20,
  lost: 2,
  tied: 69,
  test: 'mcnemar',
  p: 0.0001,
  holm: 0.0003,
  corrected_over: 2,
  effect: 0.409,
  effect_kind: 'cohen_g',
  verdict: 'second',
};

const FSM: PairTest = {
  ...SR,
  level: 'L3',
  metric: 'FSM',
  tasks: 10,
  first: 0.6,
  second: 0.5,
  difference: -0.1,
  interval: { low: -0.4, high: 0.2, method: 'bootstrap' },
  won: 1,
  lost: 2,
  tied: 7,
  p: 1,
  holm: 1,
  effect: -0.17,
  needs: { more_tasks: 226, times: 24 },
  verdict: 'not_separated',
};

const COVERAGE: PairTest = {
  ...NOTHING,
  level: 'L4',
  metric: 'Coverage',
  tasks: 0,
  reason: 'the second report has no value: the level was not evaluated',
};

export const PAIR: PairView = {
  pairs: [
    {
      scorer: 'leaderboard',
      first: { id: 'a', model: 'A', name: 'A' },
      second: { id: 'b', model: 'B', name: 'B' },
      judgement: {
        grade: 'limited',
        findings: [
          {
            code: 'other_recordings',
            aspect: 'recordings',
            place: 'records_sha256',
            grade: 'limited',
            reason: 'their calls were answered from different caches: 1, 2',
            remedy: 'run one again',
          },
        ],
      },
      refusal: [],
      tests: {
        families: [{ family: 'metrics', tests: [SR, FSM, COVERAGE] }],
        tasks: 91,
        left_out: 0,
        draws: 10_000,
        seed: 20_251_219,
      },
    },
  ],
};

const refusal = {
  code: 'other_protocol' as const,
  aspect: 'protocol' as const,
  place: 'settings.protocol',
  grade: 'not_comparable' as const,
  reason: 'they were run under different protocols: leaderboard, corrected',
  remedy: 'run one of the two again under the same conditions as the other',
};
export const REFUSED: PairView = {
  pairs: [
    {
      scorer: 'leaderboard',
      first: { id: 'a', model: 'A', name: 'A' },
      second: { id: 'b', model: 'B', name: 'B' },
      judgement: { grade: 'not_comparable', findings: [refusal] },
      refusal: [refusal],
      tests: null,
    },
  ],
};

export const CONCLUSIONS: PairConclusion[] = [
  {
    scorer: 'leaderboard',
    first: { id: 'a', model: 'A', name: 'A' },
    second: { id: 'b', model: 'B', name: 'B' },
    grade: 'limited',
    conclusion: {
      verdict: 'second',
      family: 'metrics',
      sentence: { text: '{second} is better', args: { second: 'B' } },
    },
  },
  {
    scorer: 'leaderboard',
    first: { id: 'a', model: 'A', name: 'A' },
    second: { id: 'c', model: 'C', name: 'C' },
    grade: 'not_comparable',
    conclusion: {
      verdict: 'untested',
      family: null,
      sentence: {
        text: '{second} and {first} are not comparable, so nothing is tested: {reason}',
        args: { first: 'A', second: 'C', reason: 'other rules' },
      },
    },
  },
];

/** What the engine says of the first of these reports against each other one, every pair with the same tests. */
export const tested = (ids: string[], pair: PairView = PAIR): PairsView => ({
  conclusions: CONCLUSIONS.slice(0, ids.length - 1),
  pairs: ids.slice(1).map(() => pair),
});

const ranked = {
  value: 0.6,
  difference: 0,
  rank: 1,
  low: 1,
  high: 2,
  first_share: 0.81,
  p: null,
  holm: null,
  with_best: true,
  reason: null,
};
export const RANKS: RanksView = {
  reports: ['a', 'b', 'c'],
  rankings: (['composite', 'success_rate'] as const).map((by) => ({
    by,
    variant: by === 'composite' ? 'flat_report' : null,
    tasks: 91,
    reports: [
      ranked,
      { ...ranked, value: 0.55, difference: -0.05, rank: 2, low: 1, high: 3, first_share: 0.19, p: 0.2, holm: 0.2 },
      {
        ...ranked,
        value: null,
        difference: null,
        rank: null,
        low: null,
        high: null,
        first_share: null,
        with_best: false,
        reason: 'not comparable with the first report: they are scored by different rules: leaderboard, corrected',
      },
    ],
  })),
};

const report = (id: string, solved: number) => ({
  id,
  model: id.toUpperCase(),
  date: '20251219',
  scorer: 'leaderboard' as const,
  solved,
  tasks: 91,
  rank: null,
});
export const MATRIX: MatrixView = {
  metric: 'SR',
  level: null,
  reports: [report('a', 70), report('b', 60), report('c', 40)],
  tasks: 91,
  left_out: [{ id: 'd', model: 'D', reason: 'the level was not evaluated' }],
  // a beside b no significant difference, a beside c is better after correction, b beside c may not be compared.
  cells: 'dFx',
  pairs: [
    { row: 0, column: 1, only_row: 15, only_column: 5, p: 0.0414, holm: 0.0828 },
    { row: 0, column: 2, only_row: 31, only_column: 1, p: 0.00002, holm: 0.00004 },
    { row: 1, column: 2, only_row: 0, only_column: 0, p: null, holm: null },
  ],
  tested: 2,
  separated: 1,
  separated_holm: 1,
  refused: 1,
};

/** A library of so many, of which each is better than every later one. */
export const library = (count: number): MatrixView => ({
  ...MATRIX,
  reports: Array.from({ length: count }, (_, at) => report(`m${at}`, count - at)),
  left_out: [],
  cells: 'f'.repeat((count * (count - 1)) / 2),
  pairs: [],
});
