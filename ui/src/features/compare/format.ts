import { decimals, format, NONE } from '../../shared/format';
import type { Language } from '../../locales';

/** A number with as many digits as its size needs. */
export function plain(value: number | null, language: Language, digits: number): string {
  if (value === null) return NONE;
  return format(language, decimals(digits)).format(value);
}

/** USD; small amounts keep digits that tell them apart. */
export function usd(value: number | null, language: Language): string {
  return value === null ? NONE : `$${plain(value, language, value < 1 ? 4 : 2)}`;
}
