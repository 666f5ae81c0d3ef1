// What the scripted host holds beside what was recorded of the engine. Invented, and small enough to read.
import type {
  ConnectionHealth,
  Level,
  LevelReport,
  LevelUsage,
  MetricId,
  ModelSummary,
  PackSummary,
  ReportView,
  RunRequest,
  SettingsView,
} from '../ipc/gen';
import { RECORDED } from './recorded';

const SIZES: [Level, number][] = [
  ['L1', 6],
  ['L2', 6],
  ['L3', 5],
  ['L4', 5],
  ['L5', 8],
  ['L6', 6],
  ['L7', 5],
];

/** The health of a connection that nobody has checked. */
export const uncheckedHealth = (name: string): ConnectionHealth => ({
  name,
  state: 'unchecked',
  remedy: null,
  detail: null,
  missing: [],
  listed: null,
  checked_ms: null,
  latency_ms: null,
  last_success_ms: null,
});

export const PACKS: PackSummary[] = [
  {
    name: 'starter',
    version: '1.0.0',
    title: 'Starter pack',
    licence: 'Apache-2.0',
    sample: true,
    active: true,
    levels: SIZES.map(([level, tasks]) => ({ level, tasks })),
    tools: 12,
    records: 96,
    kind: null,
    groups: [],
  },
  {
    name: 'half',
    version: '0.1.0',
    title: 'Two levels',
    licence: 'Apache-2.0',
    sample: false,
    active: false,
    levels: SIZES.slice(0, 2).map(([level, tasks]) => ({ level, tasks })),
    tools: 4,
    records: 20,
    kind: null,
    groups: [],
  },
];

export const MODELS: ModelSummary[] = RECORDED.models_list;

/** Task ids of a level, as the fake pack numbers them. */
export function tasksOf(level: Level): string[] {
  const size = SIZES.find(([name]) => name === level)?.[1] ?? 0;
  return Array.from({ length: size }, (_, index) => `${level}-${String(index + 1).padStart(3, '0')}`);
}

const OWN: Record<Level, MetricId[]> = {
  L1: ['ToolAcc', 'CallEM', 'RespOK'],
  L2: ['SelectAcc'],
  L3: ['FSM', 'PSM', 'ΔSteps_norm'],
  L4: ['Coverage', 'SourceEPR'],
  L5: ['AdaptiveRoutingScore', 'FallbackSR'],
  L6: ['RedundantCallRate', 'EffScore'],
  L7: ['ContextRetention', 'RefRecall'],
};

const JUDGED = ['SR', 'EffScore', 'ContextRetention', 'RefRecall'];

/** Of logs that say nothing of it. */
export const NO_USAGE: LevelUsage = {
  steps: null,
  calls: null,
  tokens: null,
  prompt_tokens: null,
  completion_tokens: null,
  seconds: null,
  ttft: null,
  ttft_min: null,
  ttft_max: null,
  tps: null,
};

function levelReport(level: Level): LevelReport {
  const tasks = tasksOf(level).length;
  const row = (metric: MetricId) => {
    const judged = JUDGED.includes(metric);
    return {
      metric,
      mean: judged ? null : metric === 'RedundantCallRate' ? 0 : 1,
      scored: judged ? 0 : tasks,
      unscored: judged ? tasks : 0,
      reason: judged ? 'no judge was asked' : null,
      errored: 0,
      not_applicable: 0,
      reasons: judged ? ['no judge was asked'] : [],
      overridden: null,
    };
  };
  return {
    level,
    tasks,
    evaluated: tasks,
    score: null,
    reason: 'no judge was asked',
    usage: NO_USAGE,
    metrics: (['SR', 'EPR_CVR', 'pass@k', ...(OWN[level] ?? []), 'RRR'] as const).map(row),
    skipped: [],
  };
}

/** A report of the request's levels without a judge. */
export function reportOf(request: RunRequest, id: string, folder: string): ReportView {
  return {
    id,
    model: request.model,
    scorer: request.protocol,
    judges: [],
    execution_date: id.split('/').at(-1) ?? id,
    levels: request.levels.map(levelReport),
    overall: [],
    composites: [
      {
        variant: 'flat_report',
        reading: 'over the published metrics',
        value: null,
        reason: 'SR is unscored: no judge was asked',
        overridden: null,
        parts: [],
      },
    ],
    folder,
    cache_hits: { hit: 41, miss: 3, injected: 8, refused: 0, live: 0, overlay: 0 },
    agreement: [],
    overrides: [],
    notes: ['3 tool calls had no cached response in the pack'],
  };
}

/** Of a workspace that has been started before. */
export const SETTINGS: SettingsView = RECORDED.settings_get;
