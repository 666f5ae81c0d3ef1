// What the form holds before it is a request, and what is still wrong with it.
import type { Level, ModelSummary, PackSummary, Protocol, RunRequest } from '../../ipc/types';

/** The form as typed. */
export interface Draft {
  pack: string;
  /** `ModelSummary.id` of the chosen entry. */
  model: string;
  /** Free text, for entries that leave the model's name to the user. */
  modelName: string;
  baseUrl: string;
  levels: Level[];
  protocol: Protocol;
  repetitions: number | null;
  /** `null`: automatic. */
  concurrency: number | null;
}

/** Fields that can be wrong; the texts are `runs.form.problem[…]` of the locale. */
export type DraftProblem = 'pack' | 'model' | 'modelName' | 'baseUrl' | 'levels' | 'repetitions' | 'concurrency';

const DEFAULT_MODEL = 'baseline/golden';
const MAX_REPETITIONS = 100;
const MAX_CONCURRENCY = 256;

/** The defaults: the active pack, all its levels, the golden baseline. */
export function newDraft(packs: readonly PackSummary[], models: readonly ModelSummary[]): Draft {
  const pack = packs.find(({ active }) => active) ?? packs[0];
  const model = models.find(({ id }) => id === DEFAULT_MODEL) ?? models[0];
  return {
    pack: pack?.name ?? '',
    model: model?.id ?? '',
    modelName: '',
    baseUrl: model?.default_base_url ?? '',
    levels: pack?.levels.map(({ level }) => level) ?? [],
    protocol: 'leaderboard',
    repetitions: 1,
    concurrency: null,
  };
}

const STORED = 'koab.draft';

/** Keeps the form for as long as the window lives, so that a reload of the page does not empty it. */
export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(STORED, JSON.stringify(draft));
}

/** The form as it was kept, if its pack and model are still there, else the defaults. */
export function openDraft(packs: readonly PackSummary[], models: readonly ModelSummary[]): Draft {
  const fresh = newDraft(packs, models);
  const kept = sessionStorage.getItem(STORED);
  if (kept === null) return fresh;
  // Written by this program in this window, so its shape is known.
  const draft = { ...fresh, ...(JSON.parse(kept) as Partial<Draft>) };
  const pack = packs.find(({ name }) => name === draft.pack);
  if (!pack || !models.some(({ id }) => id === draft.model)) return fresh;
  return { ...draft, levels: draft.levels.filter((level) => pack.levels.some((has) => has.level === level)) };
}

/** Whether the entry is a server whose model the user names. */
export function namesItsModel(model: ModelSummary | undefined): boolean {
  return model?.id.endsWith('/') ?? false;
}

export function problemsOf(draft: Draft, model: ModelSummary | undefined): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (!draft.pack) problems.push('pack');
  if (!model) problems.push('model');
  if (namesItsModel(model) && !draft.modelName.trim()) problems.push('modelName');
  // Empty is allowed: some services are reached without one, and the engine says so where one is needed.
  const baseUrl = draft.baseUrl.trim();
  if (model?.kind === 'server' && baseUrl && !isHttpUrl(baseUrl)) problems.push('baseUrl');
  if (draft.levels.length === 0) problems.push('levels');
  if (!isWhole(draft.repetitions, MAX_REPETITIONS)) problems.push('repetitions');
  if (draft.concurrency !== null && !isWhole(draft.concurrency, MAX_CONCURRENCY)) problems.push('concurrency');
  return problems;
}

/** The request of a draft without problems. */
export function requestOf(draft: Draft, model: ModelSummary, run: string): RunRequest {
  return {
    run,
    pack: draft.pack,
    model: namesItsModel(model) ? model.id + draft.modelName.trim() : model.id,
    base_url: model.kind === 'server' ? draft.baseUrl.trim() || null : null,
    levels: [...draft.levels].sort(),
    protocol: draft.protocol,
    repetitions: draft.repetitions ?? 1,
    concurrency: draft.concurrency,
  };
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}

function isWhole(value: number | null, max: number): boolean {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= max;
}
