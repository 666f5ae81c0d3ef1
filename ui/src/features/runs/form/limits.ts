// The numeric settings of a run that rarely differ from the published ones, as the engine lists them for the form. Each has
// a field, its check and its place in the request; the words are `runs.form.limits` and `runs.form.problem` of the locale.
import { FORM_NUMBERS } from '../../../ipc/gen';

/** Bounds of a field: an empty field leaves the setting to the engine. */
interface Limit {
  min: number;
  /** Largest value; `null` where only the size of a number bounds it. */
  max: number | null;
  /** Step of the field's arrows; `null` for whole numbers. */
  step: number | null;
  is_fraction: boolean;
  /** Published value; `null` where none is sent. */
  published: number | null;
}

/** Name of a numeric setting. */
export type LimitKey = keyof typeof FORM_NUMBERS;

const LIMITS: Record<LimitKey, Limit> = FORM_NUMBERS;

/** The settings as typed. */
export type LimitDraft = Record<LimitKey, number | null>;

export const LIMIT_KEYS = Object.keys(LIMITS) as LimitKey[];

/** All fields empty. */
export const NO_LIMITS = Object.fromEntries(LIMIT_KEYS.map((key) => [key, null])) as LimitDraft;

/** Whether a field has a value that its setting cannot have. */
export function isWrong(key: LimitKey, value: number | null): boolean {
  const { min, max, is_fraction } = LIMITS[key];
  const most = max ?? Number.MAX_SAFE_INTEGER;
  return value !== null && !(value >= min && value <= most && (is_fraction || Number.isInteger(value)));
}

/** The bounds as attributes of an input. */
export function boundsOf(key: LimitKey): { min: number; max?: number; step?: number } {
  const { min, max, step } = LIMITS[key];
  return { min, ...(max !== null && { max }), ...(step !== null && { step }) };
}

/** The published value as text; `undefined` where none is sent. */
export const publishedOf = (key: LimitKey): string | undefined => LIMITS[key].published?.toString();
