import { decimals, format, NONE } from '../../shared/format';
import type { Language } from '../../locales';

/** A difference with its sign; 0 has none. */
export function signed(value: number | null, language: Language, digits = 4): string {
  if (value === null) return NONE;
  return format(language, { ...decimals(digits), signDisplay: 'exceptZero' }).format(value);
}

/** A number with as many digits as its size needs. */
export function plain(value: number | null, language: Language, digits: number): string {
  if (value === null) return NONE;
  return format(language, decimals(digits)).format(value);
}

/** USD; small amounts keep digits that tell them apart. */
export function usd(value: number | null, language: Language): string {
  return value === null ? NONE : `$${plain(value, language, value < 1 ? 4 : 2)}`;
}

/** A p value: four decimals, and that it is smaller where these would be 0. */
export function pValue(value: number | null, language: Language): string {
  if (value === null) return NONE;
  return value < 0.0001 ? `<${plain(0.0001, language, 4)}` : plain(value, language, 4);
}
