// The numeric settings of a run that rarely differ from the published ones. A row here makes the field, its check and its
// place in the request; the words are `runs.form.limits` and `runs.form.problem` of the locale.
import type { RunRequest } from '../../../ipc/gen';

/** Bounds of a field: an empty field leaves the setting to the engine. */
interface Limit {
  min: number;
  /** Largest value; none where only the size of a number bounds it. */
  max?: number;
  /** Step of the field; whole numbers where there is none. */
  step?: number;
  /** Whether fractions are values although the field's arrows step by whole numbers. */
  isFraction?: boolean;
  /** Published value; none where none is sent. */
  published?: string;
}

const BY_SETTING = {
  max_steps: { min: 1, max: 1000, published: '10' },
  timeout_s: { min: 1, max: 86_400, isFraction: true, published: '60' },
  max_tokens: { min: 1, max: 1_000_000, published: '1024' },
  temperature: { min: 0, max: 2, step: 0.1, isFraction: true, published: '0.7' },
  seed: { min: 0 },
} as const satisfies Partial<Record<keyof RunRequest, Limit>>;

/** Name of a numeric setting. */
export type LimitKey = keyof typeof BY_SETTING;

/** Fields by the setting's name in {@link RunRequest}. */
export const LIMITS: Record<LimitKey, Limit> = BY_SETTING;

/** The settings as typed. */
export type LimitDraft = Record<LimitKey, number | null>;

export const LIMIT_KEYS = Object.keys(LIMITS) as LimitKey[];

/** All fields empty. */
export const NO_LIMITS = Object.fromEntries(LIMIT_KEYS.map((key) => [key, null])) as LimitDraft;

/** Whether a field has a value that its setting cannot have. */
export function isWrong(key: LimitKey, value: number | null): boolean {
  const { min, max = Number.MAX_SAFE_INTEGER, isFraction = false } = LIMITS[key];
  return value !== null && !(value >= min && value <= max && (isFraction || Number.isInteger(value)));
}

/** The bounds as attributes of an input. */
export function boundsOf(key: LimitKey): { min: number; max?: number; step?: number } {
  const { min, max, step } = LIMITS[key];
  return { min, ...(max !== undefined && { max }), ...(step !== undefined && { step }) };
}
