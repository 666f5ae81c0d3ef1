import { decimals, format, NONE } from '../../shared/format';
import type { Language } from '../../locales';
import type { CompareView } from '../../ipc/gen';

/** A number with as many digits as its size needs. */
export function plain(value: number | null, language: Language, digits: number): string {
  if (value === null) return NONE;
  return format(language, decimals(digits)).format(value);
}

/** The levels of Ko-AgentBench, which alone has a composite score. */
const COMPOSED: readonly string[] = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];

/** Whether a composite score is something that these reports could have. */
export const hasComposite = ({ matrix: { levels } }: CompareView): boolean =>
  levels.length === 0 || levels.some(({ level }) => COMPOSED.includes(level));
