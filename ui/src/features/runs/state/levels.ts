import type { Level, RunSummary } from '../../../ipc/gen';

export const LEVELS: readonly Level[] = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];

/** Other benchmarks have groups instead, and more of these than a line holds are counted. */
const MOST_GROUPS = 3;

/** Levels as people write them: neighbours joined, such as `L1–L3, L5`. Empty for none. */
export function spanOf(levels: readonly Level[]): string {
  const spans: Level[][] = [];
  for (const [index, level] of LEVELS.entries()) {
    if (!levels.includes(level)) continue;
    const last = spans.at(-1);
    if (last && last.at(-1) === LEVELS[index - 1]) last.push(level);
    else spans.push([level]);
  }
  const groups = levels.filter((level) => !LEVELS.includes(level));
  if (groups.length > MOST_GROUPS) return `${groups[0]} … ${groups.at(-1)} (${groups.length})`;
  return [...spans, ...groups.map((group) => [group])]
    .map((span) => (span.length > 1 ? `${span[0]}–${span.at(-1)}` : `${span[0]}`))
    .join(', ');
}

/** The pack of another benchmark's run, else nothing: its figures are no others' and are not to be taken for these. */
export const benchmarkOf = ({ levels, pack }: Pick<RunSummary, 'levels' | 'pack'>): string =>
  levels.length > 0 && !levels.some(({ level }) => LEVELS.includes(level)) ? ((pack ?? '').split('@')[0] ?? '') : '';
