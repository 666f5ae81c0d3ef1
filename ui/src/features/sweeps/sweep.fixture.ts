// A sweep of two models at two temperatures, of which one cell is missing.
import type { SweepDifference, SweepFile, SweepPlanRun, SweepView } from '../../ipc/gen';

export const FILE: SweepFile = {
  name: 'warm',
  metric: 'ToolAcc',
  protocol: 'leaderboard',
  packs: ['starter'],
  levels: ['L1'],
  tasks: [],
  repetitions: 2,
  concurrency: null,
  max_steps: null,
  timeout_s: null,
  max_tokens: null,
  max_cost: 5,
  max_total_tokens: null,
  models: [
    { id: 'lab/a', base_url: null },
    { id: 'openai_compat/b', base_url: 'http://127.0.0.1:1/v1' },
  ],
  settings: { temperature: [0, 0.7], effort: null, seed: null, system_prompt: ['none', 'short.txt'], tool_texts: null },
  judges: { models: ['lab/judge'], base_url: null },
  baseline: {
    model: 'lab/a',
    temperature: 0.7,
    effort: null,
    seed: null,
    system_prompt: 'none',
    tool_texts: null,
  },
  texts: { 'short.txt': '짧게 답하세요.' },
};

const run = (cell: string, change: Partial<SweepPlanRun> = {}): SweepPlanRun => ({
  cell,
  pack: 'starter@1',
  state: 'made',
  run: `m/${cell}`,
  outcome: 'completed',
  reason: null,
  to_judge: false,
  attempts: 0,
  calls: 0,
  usd: 0,
  minutes: 0,
  ...change,
});

const apart = (value: number, verdict: SweepDifference['verdict']): SweepDifference => ({
  value,
  interval: [value - 0.1, value + 0.1],
  tasks: 10,
  won: 8,
  lost: 1,
  p: 0.001,
  corrected_p: 0.002,
  verdict,
});

const cell = (model: string, temperature: number, mean: number | null, difference: SweepDifference | null) => {
  const label = `${model} temperature=${temperature}`;
  const result = {
    pack: 'starter@1',
    run: `m/${label}`,
    report: `r ${label}`,
    mean,
    interval: null,
    tasks: 10,
    attempts: 20,
    unscored: 0,
    difference,
  };
  return {
    label,
    model,
    temperature,
    effort: null,
    seed: null,
    system_prompt: null,
    tool_texts: null,
    results: mean === null ? [] : [result],
  };
};

export const VIEW: SweepView = {
  id: '0123456789abcdef',
  file: FILE,
  plan: {
    id: '0123456789abcdef',
    runs: [
      run('lab/a temperature=0'),
      run('lab/a temperature=0.7'),
      run('openai_compat/b temperature=0'),
      run('openai_compat/b temperature=0.7', {
        state: 'begun',
        outcome: 'failed',
        reason: 'the server is gone',
        attempts: 6,
        calls: 12,
        usd: null,
        minutes: 2,
      }),
    ],
    attempts: 6,
    calls: 12,
    usd: null,
    minutes: 2,
    unknown: 0,
    spent: 1.25,
    is_spent_least: false,
    refusal: null,
  },
  table: {
    name: 'warm',
    metric: 'ToolAcc',
    scorer: 'leaderboard',
    judges: [],
    repetitions: 2,
    packs: ['starter@1'],
    baseline: 'lab/a temperature=0.7',
    cells: [
      cell('lab/a', 0, 0.9, apart(0.4, 'better')),
      cell('lab/a', 0.7, 0.5, null),
      cell('openai_compat/b', 0, 0.2, apart(-0.3, 'worse')),
      cell('openai_compat/b', 0.7, null, null),
    ],
    done: 3,
    runs: 4,
    tests: 2,
    stopped: null,
    usd: 1.25,
    notes: [],
  },
};
