// What the form holds before it is a request, and what is still wrong with it.
import type { Level, ModelSummary, PackSummary, Protocol, RunRequest } from '../../../ipc/gen';
import { addressOrNull, asAddress, isAddress } from '../../../shared/address';
import { isContext, settingsOf, USUAL, type LocalDraft } from '../../../shared/localModel/settings';
import { lastModel, type ModelChoice } from '../../../shared/models/options';
import { judgeDraft, judgeProblems, judgesAsked, type JudgeDraft, type JudgeProblem } from '../scoring/judgeChoice';
import { isWrong, LIMIT_KEYS, NO_LIMITS, type LimitDraft, type LimitKey } from './limits';

/** One model to run. Several are run one after the other. */
export interface ModelDraft extends ModelChoice {
  baseUrl: string;
  /** How a model inside the application runs. */
  local: LocalDraft;
}

/** Where tool calls are answered from: cached responses; those and the saved responses; the live APIs as well. */
export type DraftCache = 'read' | 'overlay' | 'write';

/** What is run: levels, single tasks, or as many tasks as an estimate of all of them needs. */
export type Scope = 'levels' | 'tasks' | 'adaptive';

/** The form as typed. Numbers that are `null` are left to the engine. */
export interface Draft extends JudgeDraft, LimitDraft {
  pack: string;
  /** Snapshot that is read in the place of the pack's own records; empty for these. */
  snapshot: string;
  models: ModelDraft[];
  /** The agent that drives them: a name, the file of a definition, or empty for this program. */
  agent: string;
  /** Whether that agent asks a model of its own; the rows are then only its names. */
  ownModel: boolean;
  /** Whether whole levels are run, single tasks, or those that tell most of the model. */
  scope: Scope;
  levels: Level[];
  tasks: string[];
  /** Half the width in points at which an adaptive run ends. */
  width: number | null;
  protocol: Protocol;
  cache: DraftCache;
  /** Whether services whose keys are missing are left out, when the real ones are asked. */
  withoutKeys: boolean;
  repetitions: number | null;
  concurrency: number | null;
  effort: '' | 'low' | 'medium' | 'high';
  fullRollout: boolean;
  maxCost: number | null;
  maxTotalTokens: number | null;
  maxCostPerDay: number | null;
  maxTotalTokensPerDay: number | null;
  /** Whether the run is scored once it has ended. */
  score: boolean;
  /** Whether it is scored by both scorers, or only by that of its protocol. */
  bothScorers: boolean;
}

/** Fields that can be wrong; the texts are `runs.form.problem[…]` of the locale. */
export type DraftProblem =
  | 'pack'
  | 'model'
  | 'modelName'
  | 'baseUrl'
  | 'sameModel'
  | 'context'
  | 'levels'
  | 'tasks'
  | 'width'
  | 'oneModel'
  | 'repetitions'
  | 'concurrency'
  | LimitKey
  | 'budget'
  | JudgeProblem;

/** Problems of fields that are folded away until they are wanted. */
export const IN_LIMITS: readonly DraftProblem[] = [...LIMIT_KEYS, 'budget'];

const DEFAULT_MODEL = 'baseline/golden';
const MAX_REPETITIONS = 1000;
const MAX_CONCURRENCY = 256;

/** The defaults: the active pack, all its levels, the model that was used last, else one of the first connection, else the golden baseline, the settings' judges, everything else as published. */
export function newDraft(
  packs: readonly PackSummary[],
  models: readonly ModelSummary[],
  judges: readonly string[] = [],
): Draft {
  const pack = packs.find(({ active }) => active) ?? packs[0];
  const last = lastModel(modelsFor(pack, models));
  const model =
    models.find(({ id }) => id === last?.model) ??
    models.find(({ connection }) => connection && connection.models.length > 0) ??
    models.find(({ id }) => id === DEFAULT_MODEL) ??
    models[0];
  return {
    pack: pack?.name ?? '',
    snapshot: '',
    models: model ? [{ ...draftOf(model), ...(last ?? {}) }] : [],
    agent: '',
    ownModel: false,
    scope: 'levels',
    levels: pack?.levels.map(({ level }) => level) ?? [],
    tasks: [],
    width: 3,
    protocol: 'leaderboard',
    cache: 'read',
    withoutKeys: false,
    repetitions: 1,
    concurrency: null,
    ...NO_LIMITS,
    effort: '',
    fullRollout: false,
    maxCost: null,
    maxTotalTokens: null,
    maxCostPerDay: null,
    maxTotalTokensPerDay: null,
    score: true,
    bothScorers: false,
    ...judgeDraft(judges),
  };
}

/** The models that a pack can be run with: where a task is one request, the golden baseline has no calls to make. */
export function modelsFor(pack: PackSummary | undefined, models: readonly ModelSummary[]): ModelSummary[] {
  return models.filter(({ id }) => !pack?.kind || id !== DEFAULT_MODEL);
}

/** The rows that stay when another pack is chosen; one at least, while there is a model at all. */
export function rowsFor(
  pack: PackSummary | undefined,
  rows: readonly ModelDraft[],
  models: readonly ModelSummary[],
): ModelDraft[] {
  const offered = modelsFor(pack, models);
  const left = rows.filter((row) => offered.some(({ id }) => id === row.model));
  const first = offered.find(({ kind }) => kind === 'baseline') ?? offered[0];
  return left.length > 0 || !first ? left : [draftOf(first)];
}

/** An entry as it is first chosen. */
export function draftOf(model: ModelSummary): ModelDraft {
  return {
    model: model.id,
    name: model.connection?.models[0] ?? '',
    baseUrl: model.connection ? '' : (model.default_base_url ?? ''),
    local: { ...USUAL },
  };
}

const STORED = 'koab.draft';

/** Keeps the form for as long as the window lives, so that a reload of the page does not empty it. */
export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(STORED, JSON.stringify(draft));
}

/** The form as it was kept, if its pack and models are still there, else the defaults. */
export function openDraft(
  packs: readonly PackSummary[],
  models: readonly ModelSummary[],
  judges: readonly string[] = [],
): Draft {
  const fresh = newDraft(packs, models, judges);
  const kept = sessionStorage.getItem(STORED);
  if (kept === null) return fresh;
  // Written by this program in this window; fields that came with an update have their defaults.
  const draft = { ...fresh, ...(JSON.parse(kept) as Partial<Draft>) };
  draft.models = draft.models.map((row) => ({ ...row, local: { ...USUAL, ...row.local } }));
  const pack = packs.find(({ name }) => name === draft.pack);
  if (!pack || draft.models.some((row) => !models.some(({ id }) => id === row.model))) return fresh;
  return { ...draft, levels: draft.levels.filter((level) => pack.levels.some((has) => has.level === level)) };
}

/** Whether the entry is a server whose model the user names. */
export function namesItsModel(model: ModelSummary | undefined): boolean {
  return model?.id.endsWith('/') ?? false;
}

/** Problems of single rows of models. */
export const IN_ROWS: readonly DraftProblem[] = ['model', 'modelName', 'baseUrl', 'sameModel', 'context'];

/** What is wrong with one row of models. */
export function rowProblems(row: ModelDraft, model: ModelSummary | undefined): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (!model) problems.push('model');
  if (namesItsModel(model) && !row.name.trim()) problems.push('modelName');
  if (model?.kind === 'local' && !isContext(row.local.context)) problems.push('context');
  if (model?.kind === 'server' && !isAddress(row.baseUrl, model.needs_base_url)) problems.push('baseUrl');
  return problems;
}

export function problemsOf(draft: Draft, models: readonly ModelSummary[]): DraftProblem[] {
  const problems = new Set<DraftProblem>();
  const when = (wrong: boolean, problem: DraftProblem) => wrong && problems.add(problem);
  when(!draft.pack, 'pack');
  when(draft.models.length === 0, 'model');
  for (const row of draft.models) {
    for (const problem of rowProblems(
      row,
      models.find(({ id }) => id === row.model),
    ))
      problems.add(problem);
  }
  const ids = draft.models.map(rowKey);
  when(new Set(ids).size < ids.length, 'sameModel');
  when(draft.scope === 'levels' && draft.levels.length === 0, 'levels');
  when(draft.scope === 'tasks' && draft.tasks.length === 0, 'tasks');
  when(draft.scope === 'adaptive' && !(draft.width !== null && draft.width > 0 && draft.width < 50), 'width');
  when(draft.scope === 'adaptive' && draft.models.length > 1, 'oneModel');
  when(draft.scope !== 'adaptive' && !isWhole(draft.repetitions, MAX_REPETITIONS), 'repetitions');
  const optional = (value: number | null, max: number) => value === null || isWhole(value, max);
  when(!optional(draft.concurrency, MAX_CONCURRENCY), 'concurrency');
  for (const key of LIMIT_KEYS) when(isWrong(key, draft[key]), key);
  const amount = (value: number | null) => value === null || value > 0;
  const tokens = (value: number | null) => optional(value, Number.MAX_SAFE_INTEGER);
  const caps = amount(draft.maxCost) && amount(draft.maxCostPerDay);
  when(!caps || !tokens(draft.maxTotalTokens) || !tokens(draft.maxTotalTokensPerDay), 'budget');
  if (isScored(draft)) judgeProblems(draft, models).forEach((problem) => problems.add(problem));
  return [...problems];
}

/**
 * A row more. Most who compare stay with one server and name another model there; an entry that names its model itself is
 * listed once, so the next one that is not listed yet follows. `null` when there is none.
 */
export function nextRow(rows: readonly ModelDraft[], models: readonly ModelSummary[]): ModelDraft | null {
  const last = rows.at(-1);
  const entry = models.find(({ id }) => id === last?.model);
  if (last && namesItsModel(entry)) {
    const name =
      entry?.connection?.models.find((name) => !rows.some((row) => row.model === entry.id && row.name === name)) ?? '';
    return { ...last, name, local: { ...last.local } };
  }
  const isFree = (model: ModelSummary) => !namesItsModel(model) && !rows.some((row) => row.model === model.id);
  const kin = models.find((model) => isFree(model) && model.kind === entry?.kind);
  const next = kin ?? models.find(isFree) ?? models.find(namesItsModel);
  return next ? draftOf(next) : null;
}

/** The rows that can be run as they are; those that are still being filled in are left out. */
export function soundRows(draft: Draft, models: readonly ModelSummary[]): ModelDraft[] {
  const seen = new Set<string>();
  return draft.models.filter((row) => {
    const key = rowKey(row);
    const isNew = !seen.has(key);
    seen.add(key);
    return (
      isNew &&
      rowProblems(
        row,
        models.find(({ id }) => id === row.model),
      ).length === 0
    );
  });
}

function rowKey(row: ModelDraft): string {
  return `${row.model}${row.name.trim()} ${asAddress(row.baseUrl)} ${JSON.stringify(row.local)}`;
}

/** The model's id of a row. */
export function modelOf(row: ModelDraft): string {
  return row.model.endsWith('/') ? row.model + row.name.trim() : row.model;
}

/** The protocol that counts: agents know one only. */
export function protocolOf({ agent, protocol }: Draft): Protocol {
  return agent ? 'corrected' : protocol;
}

/** The requests of a draft without problems, one a model. `mint` makes ids. */
export function requestsOf(draft: Draft, models: readonly ModelSummary[], mint: () => string): RunRequest[] {
  return draft.models.map((row) => {
    const entry = models.find(({ id }) => id === row.model);
    const ownModel = draft.ownModel && draft.agent.trim() !== '';
    // What its own model takes is not known here, so that no cap can hold it.
    const server = entry?.kind === 'server' && !ownModel;
    const request: RunRequest = {
      run: mint(),
      pack: draft.pack,
      model: modelOf(row),
      base_url: server ? addressOrNull(row.baseUrl) : null,
      levels: draft.scope === 'levels' ? [...draft.levels].sort() : [],
      protocol: protocolOf(draft),
      repetitions: draft.scope === 'adaptive' ? 1 : (draft.repetitions ?? 1),
      concurrency: draft.concurrency,
      full_rollout: draft.fullRollout && !draft.agent,
    };
    put(request, 'agent', draft.agent.trim() || null);
    if (ownModel) request.own_model = true;
    if (entry?.local) {
      // The leaderboard's models write what they write.
      const constrained = row.local.constrained && draft.protocol !== 'leaderboard';
      request.local = settingsOf({ ...row.local, constrained }, entry.local.converts);
    }
    if (draft.cache === 'overlay') request.with_overlay = true;
    if (draft.cache === 'write') {
      request.cache_mode = 'write';
      request.without_keys = draft.withoutKeys;
    }
    if (draft.scope === 'tasks') request.tasks = [...draft.tasks];
    for (const key of LIMIT_KEYS) put(request, key, draft[key]);
    put(request, 'effort', draft.effort || null);
    put(request, 'cache_snapshot', draft.snapshot || null);
    // A baseline costs nothing and has no price to keep a cap with.
    if (server) {
      put(request, 'max_cost', draft.maxCost);
      put(request, 'max_cost_per_day', draft.maxCostPerDay);
      put(request, 'max_total_tokens', draft.maxTotalTokens);
      put(request, 'max_total_tokens_per_day', draft.maxTotalTokensPerDay);
    }
    if (isScored(draft)) {
      const scorers: Protocol[] =
        draft.bothScorers && draft.scope !== 'adaptive' ? ['leaderboard', 'corrected'] : [protocolOf(draft)];
      request.score = { scorers, ...judgesAsked(draft, models) };
    }
    return request;
  });
}

function put<K extends keyof RunRequest>(request: RunRequest, key: K, value: RunRequest[K] | null): void {
  if (value !== null && value !== undefined) request[key] = value;
}

function isWhole(value: number | null, max: number): boolean {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= max;
}

/** Whether it is scored once it has ended; an adaptive run cannot do without. */
export function isScored({ scope, score }: Pick<Draft, 'scope' | 'score'>): boolean {
  return score || scope === 'adaptive';
}

/** Half the width at which it is enough, as a share; `null` where the run is not adaptive. */
export function halfWidthOf({ scope, width }: Pick<Draft, 'scope' | 'width'>): number | null {
  return scope === 'adaptive' && width !== null ? width / 100 : null;
}
