import { decimals, fixed, format, NONE, signed } from '../../shared/format';
import type { Language } from '../../locales';
import type { CompareView } from '../../ipc/gen';

/** A number with as many digits as its size needs. */
export function plain(value: number | null, language: Language, digits: number): string {
  if (value === null) return NONE;
  return format(language, decimals(digits)).format(value);
}

/** A difference of scores in points of a hundred: the same digits as an interval's three decimals, one of them behind the point. */
export function points(value: number): string {
  const [, sign = '', digits = ''] = /^(\D?)(\d+\.\d{3})$/.exec(signed(value, 3)) ?? [];
  const [whole = '', rest = ''] = digits.split('.');
  return `${sign}${Number(whole + rest.slice(0, 2))}.${rest.slice(2)}`;
}

/** How many times as much, to two digits or three. */
export const times = (ratio: number): string => fixed(ratio, ratio >= 9.95 ? 0 : ratio >= 0.995 ? 1 : 2);

/** So much more or less, in hundredths. */
export const more = (ratio: number): string => `${signed((ratio - 1) * 100, 0)} %`;

/** The levels of Ko-AgentBench, which alone has a composite score. */
const COMPOSED: readonly string[] = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];

/** Whether a composite score is something that these reports could have. */
export const hasComposite = ({ matrix: { levels } }: CompareView): boolean =>
  levels.length === 0 || levels.some(({ level }) => COMPOSED.includes(level));
