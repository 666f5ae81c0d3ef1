// Small texts of a transcript that several of its parts show.
import type { Language } from '../../locales';
import { jsonText } from '../../shared/exact';
import { count, duration, NONE } from '../../shared/format';

/** A count that may not be known. */
export const known = (value: number | null, language: Language): string =>
  value === null ? NONE : count(value, language);

/** Milliseconds under a second as such, since model turns are compared by them; longer ones as elsewhere. */
export function brief(ms: number | null): string {
  if (ms === null) return NONE;
  return ms < 1_000 ? `${Math.round(ms)} ms` : duration(ms);
}

/** A value on one line; texts without quotes, so that a difference is not hidden by escapes. */
export function inline(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
