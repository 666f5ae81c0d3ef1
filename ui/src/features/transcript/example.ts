// Transcripts for tests, in the engine's own words.
import type {
  OverrideRow,
  RunTask,
  StoredVerdict,
  TaskVerdicts,
  Transcript,
  TranscriptAttempt,
  TranscriptCall,
} from '../../ipc/gen';

export const call = (
  tool: string,
  args: Record<string, unknown>,
  more: Partial<TranscriptCall> = {},
): TranscriptCall => ({
  step: 1,
  tool,
  arguments: args,
  unreadable: null,
  success: true,
  error: null,
  owner: null,
  source: 'hit',
  result: { ok: true },
  place: 'expected',
  golden: 0,
  beside: [],
  ...more,
});

/** An attempt that makes its calls one a step and then says `answer`. */
export function attempt(calls: TranscriptCall[], answer: string | null): TranscriptAttempt {
  const timing = {
    phase: 1,
    ttft_ms: 200,
    latency_ms: 800,
    prompt_tokens: 1200,
    completion_tokens: null,
    finish: 'tool_calls',
    left_out: null,
    written: null,
  };
  const blank = { seeded: false, text: '', content: null, step: null, timing: null, calls: [] };
  const steps = calls.map((_, i) => ({ ...blank, speaker: 'assistant' as const, step: i + 1, timing, calls: [i] }));
  const said =
    answer === null ? [] : [{ ...blank, speaker: 'assistant' as const, step: calls.length + 1, text: answer }];
  return {
    repetition: 1,
    status: answer === null ? 'unanswered' : 'answered',
    success: answer !== null,
    stop: answer === null ? 'step_limit' : 'answered',
    error: null,
    took_ms: 4200,
    steps: steps.length + said.length,
    prompt_tokens: 1200,
    completion_tokens: null,
    ttft_ms: 200,
    final_response: answer,
    answer_is_seeded: false,
    turns: [{ ...blank, speaker: 'user', text: '판교역에서 잠실까지 얼마나 걸려?' }, ...steps, ...said],
    calls: calls.map((one, i) => ({ ...one, step: i + 1 })),
    has_timing: true,
  };
}

export function transcript(of: TranscriptAttempt | null, more: Partial<Transcript> = {}): Transcript {
  return {
    run: 'm/1',
    task: 'L1-001',
    level: 'L1',
    model: 'azure/gpt-4o',
    pack: 'ko@1',
    protocol: 'leaderboard',
    category: null,
    instruction: '판교역에서 잠실까지 얼마나 걸려?',
    dataset: { task_id: 'L1-001' },
    other_instruction: null,
    injection: null,
    golden: [{ kind: 'call', tool: 'CarRoute_tmap', arguments: { startX: 1 }, step: null, seeded: false, call: 0 }],
    repetitions: [{ repetition: 1, status: 'answered', kept: true }],
    attempt: of,
    under_way: false,
    attempt_is_scored: true,
    metrics: [
      {
        metric: 'SR',
        judged: true,
        leaderboard: {
          value: 1,
          reason: null,
          overridden: null,
          applies: true,
          asks_judge: true,
          details: { votes: [true] },
          calls: [],
        },
        corrected: {
          value: null,
          reason: 'no judge was asked',
          overridden: null,
          applies: true,
          asks_judge: true,
          details: null,
          calls: [],
        },
      },
      {
        metric: 'CallEM',
        judged: false,
        leaderboard: {
          value: 0,
          reason: null,
          overridden: null,
          applies: true,
          asks_judge: false,
          details: {},
          calls: [{ call: 0, effect: 'against' }],
        },
        corrected: {
          value: 1,
          reason: null,
          overridden: null,
          applies: true,
          asks_judge: false,
          details: {},
          calls: [],
        },
      },
    ],
    verdicts: [
      {
        metric: 'SR',
        scorer: 'leaderboard',
        judge: 'azure/gpt-4.1-mini',
        vote: 1,
        success: true,
        grade: null,
        reason: '요청을 충족한다.',
        failure: null,
        worked_back: false,
        report: 'r',
      },
    ],
    questions: [{ metric: 'SR', scorer: 'leaderboard', prompt: '판정하세요' }],
    reports: [{ id: 'r', scorer: 'leaderboard' }],
    ...more,
  };
}

export const task = (id: string, more: Partial<RunTask> = {}): RunTask => ({
  id,
  level: id.slice(0, 2) as RunTask['level'],
  instruction: null,
  status: 'answered',
  success: true,
  stop: null,
  error: null,
  calls: 1,
  steps: 2,
  took_ms: 1000,
  total_tokens: 10,
  repetitions: 1,
  ...more,
});

export const verdict = (judge: string, more: Partial<StoredVerdict> = {}): StoredVerdict => ({
  judge,
  vote: 1,
  asked_with: 'abcdef12',
  success: true,
  score: null,
  confidence: null,
  reason: '요청을 충족한다.',
  failure: null,
  at: '2026-01-02T03:04:05Z',
  ...more,
});

export const override = (more: Partial<OverrideRow> = {}): OverrideRow => ({
  run: 'm/1',
  task: 'L1-001',
  metric: 'SR',
  judge: null,
  success: false,
  score: null,
  by: '이영희',
  why: '도로가 통제되었다.',
  at: '2026-01-03T00:00:00Z',
  applies: true,
  ...more,
});

/** What is stored about SR of a task, asked alike by both scorers. */
export const said = (
  verdicts: StoredVerdict[],
  overrides: OverrideRow[] = [],
  more: Partial<TaskVerdicts> = {},
): TaskVerdicts => ({
  run: 'm/1',
  task: 'L1-001',
  questions: [
    {
      metric: 'SR',
      scorers: ['leaderboard', 'corrected'],
      hash: 'h',
      system: '당신은 심판입니다',
      prompt: '판정하세요',
      yes_no: true,
      first_judge_only: true,
      verdicts,
      overrides,
    },
  ],
  decided_by_log: [],
  outdated: [],
  ...more,
});
