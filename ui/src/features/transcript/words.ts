// Small texts of a transcript that several of its parts show.
import type { Language } from '../../locales';
import { jsonText } from '../../shared/exact';
import { count, duration, NONE } from '../../shared/format';
import type { TranscriptAttempt } from '../../ipc/gen';

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

/** Why an attempt may have no time to the first token and no tokens: its server never answered, or left them out. */
export function notMeasured<T extends { neverAnswered: string; noFirstToken: string; noTokens: string }>(
  { stop, turns }: Pick<TranscriptAttempt, 'stop' | 'turns'>,
  t: T,
): [firstToken: string, tokens: string] {
  const isUnanswered = stop === 'model_failed' && turns.every(({ step }) => step === null);
  return isUnanswered ? [t.neverAnswered, t.neverAnswered] : [t.noFirstToken, t.noTokens];
}
