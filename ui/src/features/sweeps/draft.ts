// A sweep as its form holds it, and the file that it is. Lists of numbers are typed as texts.
import type { ModelSummary, PackSummary, Protocol, SweepFile } from '../../ipc/gen';
import { addressOrNull, asAddress, isAddress } from '../../shared/address';

export const EFFORTS = ['default', 'low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** The word for no text. */
export const NONE_TEXT = 'none';

export interface TextDraft {
  name: string;
  text: string;
}

/** Texts of an axis; `without`: one cell has none of them. */
export interface TextsDraft {
  without: boolean;
  texts: TextDraft[];
}

export interface ModelRow {
  id: string;
  baseUrl: string;
}

/** Which value of each axis the baseline has; empty for the first. */
export interface BaselineDraft {
  model: string;
  temperature: string;
  effort: string;
  seed: string;
  prompt: string;
  tools: string;
}

export interface Draft {
  name: string;
  models: ModelRow[];
  temperature: string;
  efforts: Effort[];
  seed: string;
  prompts: TextsDraft;
  tools: TextsDraft;
  packs: string[];
  /** All when empty. */
  levels: string[];
  tasks: string;
  repetitions: number | null;
  metric: string;
  judges: string;
  judgeBaseUrl: string;
  baseline: BaselineDraft;
  maxCost: number | null;
  maxTotalTokens: number | null;
  protocol: Protocol;
  concurrency: number | null;
  maxSteps: number | null;
  timeout: number | null;
  maxTokens: number | null;
}

const FIRST: BaselineDraft = { model: '', temperature: '', effort: '', seed: '', prompt: '', tools: '' };
const NO_TEXTS: TextsDraft = { without: true, texts: [] };

/** The words of a field, separated by commas, spaces or lines. */
export const wordsOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** What is no number in a field of numbers; `null` where all are. */
export const notNumber = (text: string, whole: boolean): string | null =>
  wordsOf(text).find((word) => !(whole ? /^\d+$/ : /^\d*\.?\d+$/).test(word)) ?? null;

export interface WrongName {
  name: string;
  why: 'empty' | 'none' | 'twice';
}

/** A text whose name is none, or that of another text on either axis; `null` where all are sound. */
export function wrongName({ prompts, tools }: Draft): WrongName | null {
  const seen = new Set<string>();
  for (const name of [...prompts.texts, ...tools.texts].map((one) => one.name.trim())) {
    const why = name === '' ? 'empty' : name === NONE_TEXT ? 'none' : seen.has(name) ? 'twice' : null;
    if (why) return { name, why };
    seen.add(name);
  }
  return null;
}

/** Bytes of a text at most, as the engine takes them. */
export const MOST_BYTES = 1 << 20;

/** The defaults: the active pack, a model of the first connection, the settings' judges. */
export function newDraft(
  packs: readonly PackSummary[],
  models: readonly ModelSummary[],
  judges: readonly string[],
): Draft {
  const pack = packs.find(({ active }) => active) ?? packs[0];
  const connection = models.flatMap(({ connection }) => connection ?? []).find(({ models }) => models.length > 0);
  const model = connection ? `${connection.name}/${connection.models[0]}` : '';
  return {
    name: '',
    models: [{ id: model, baseUrl: '' }],
    temperature: '',
    efforts: [],
    seed: '',
    prompts: { ...NO_TEXTS },
    tools: { ...NO_TEXTS },
    packs: pack ? [pack.name] : [],
    levels: [],
    tasks: '',
    repetitions: 1,
    metric: 'SR',
    judges: judges.join(', '),
    judgeBaseUrl: '',
    baseline: { ...FIRST },
    maxCost: null,
    maxTotalTokens: null,
    protocol: 'leaderboard',
    concurrency: null,
    maxSteps: null,
    timeout: null,
    maxTokens: null,
  };
}

/** A number as the engine writes it in labels. */
const plain = (value: number): string => String(value);

/** A file in the form. */
export function draftOf(file: SweepFile): Draft {
  const { settings, baseline, texts } = file;
  const named = (names: string[] | null): TextsDraft => ({
    without: names === null || names.includes(NONE_TEXT),
    texts: (names ?? []).filter((name) => name !== NONE_TEXT).map((name) => ({ name, text: texts[name] ?? '' })),
  });
  return {
    name: file.name,
    models: file.models.map(({ id, base_url }) => ({ id, baseUrl: base_url ?? '' })),
    temperature: (settings.temperature ?? []).map(plain).join(', '),
    efforts: EFFORTS.filter((effort) => settings.effort?.includes(effort)),
    seed: (settings.seed ?? []).map(plain).join(', '),
    prompts: named(settings.system_prompt),
    tools: named(settings.tool_texts),
    packs: file.packs ?? [],
    levels: file.levels,
    tasks: file.tasks.join(', '),
    repetitions: file.repetitions,
    metric: file.metric,
    judges: file.judges.models.join(', '),
    judgeBaseUrl: file.judges.base_url ?? '',
    baseline: {
      model: baseline.model ?? '',
      temperature: baseline.temperature === null ? '' : plain(baseline.temperature),
      effort: baseline.effort ?? '',
      seed: baseline.seed === null ? '' : plain(baseline.seed),
      prompt: baseline.system_prompt ?? '',
      tools: baseline.tool_texts ?? '',
    },
    maxCost: file.max_cost,
    maxTotalTokens: file.max_total_tokens,
    protocol: file.protocol,
    concurrency: file.concurrency,
    maxSteps: file.max_steps,
    timeout: file.timeout_s,
    maxTokens: file.max_tokens,
  };
}

/** Names of an axis of texts; `null` where it has none. */
const namesOf = ({ without, texts }: TextsDraft): string[] | null =>
  texts.length === 0 ? null : [...(without ? [NONE_TEXT] : []), ...texts.map(({ name }) => name.trim())];

/** The values of each axis, as the baseline names one of them. */
export function axesOf(draft: Draft): Record<keyof BaselineDraft, string[]> {
  return {
    model: modelsOf(draft).map(({ id }) => id),
    temperature: wordsOf(draft.temperature).map((word) => plain(Number(word))),
    effort: draft.efforts,
    seed: wordsOf(draft.seed),
    prompt: namesOf(draft.prompts) ?? [],
    tools: namesOf(draft.tools) ?? [],
  };
}

/** Rows that name a model. */
export const modelsOf = ({ models }: Draft): ModelRow[] =>
  models.map(({ id, baseUrl }) => ({ id: id.trim(), baseUrl: asAddress(baseUrl) })).filter(({ id }) => id !== '');

/** Whether a model is named whose server is not: nothing can be planned of it yet. */
export const lacksAddress = (draft: Draft, known: readonly ModelSummary[]): boolean =>
  modelsOf(draft).some(({ id, baseUrl }) => {
    const server = known.find(({ id: of, kind, connection }) => kind === 'server' && !connection && id.startsWith(of));
    return server !== undefined && !isAddress(baseUrl, server.needs_base_url);
  });

/** The file that the form is; `null` while it names no model. */
export function fileOf(draft: Draft): SweepFile | null {
  const models = modelsOf(draft);
  if (models.length === 0) return null;
  const axes = axesOf(draft);
  // A value that is there no more is that of the first.
  const chosen = (axis: keyof BaselineDraft): string | null => {
    const values = axes[axis];
    if (values.length < 2) return null;
    return values.includes(draft.baseline[axis]) ? draft.baseline[axis] : (values[0] ?? null);
  };
  const numbers = (text: string): number[] | null => {
    const words = wordsOf(text);
    return words.length === 0 ? null : words.map(Number);
  };
  const number = (text: string | null): number | null => (text === null ? null : Number(text));
  const texts = [...draft.prompts.texts, ...draft.tools.texts];
  return {
    name: draft.name.trim(),
    metric: draft.metric,
    protocol: draft.protocol,
    packs: draft.packs,
    levels: draft.levels,
    tasks: wordsOf(draft.tasks),
    repetitions: draft.repetitions ?? 1,
    concurrency: draft.concurrency,
    max_steps: draft.maxSteps,
    timeout_s: draft.timeout,
    max_tokens: draft.maxTokens,
    max_cost: draft.maxCost,
    max_total_tokens: draft.maxTotalTokens,
    models: models.map(({ id, baseUrl }) => ({ id, base_url: baseUrl || null })),
    settings: {
      temperature: numbers(draft.temperature),
      effort: draft.efforts.length === 0 ? null : draft.efforts,
      seed: numbers(draft.seed),
      system_prompt: namesOf(draft.prompts),
      tool_texts: namesOf(draft.tools),
    },
    judges: { models: wordsOf(draft.judges), base_url: addressOrNull(draft.judgeBaseUrl) },
    baseline: {
      model: chosen('model'),
      temperature: number(chosen('temperature')),
      effort: chosen('effort'),
      seed: number(chosen('seed')),
      system_prompt: chosen('prompt'),
      tool_texts: chosen('tools'),
    },
    texts: Object.fromEntries(texts.map(({ name, text }) => [name.trim(), text])),
  };
}

const STORED = 'koab.sweep';

/** Keeps the form for as long as the window lives. */
export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(draft));
  } catch {
    // Too much to keep: the form goes on, and what was kept before would be another one.
    sessionStorage.removeItem(STORED);
  }
}

/** The form as it was kept; fields that came with an update have their defaults. */
export function keptDraft(fresh: Draft): Draft {
  const kept = sessionStorage.getItem(STORED);
  return kept === null ? fresh : { ...fresh, ...(JSON.parse(kept) as Partial<Draft>) };
}
