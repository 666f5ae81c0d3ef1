// Items of another benchmark, counted by what is wrong with them.
import type { AtlasItem, Level } from '../../ipc/gen';

export interface Fault {
  fault: string;
  metric: string;
  count: number;
  /** Items by group, the most first. */
  groups: [Level, number][];
}

/** The most first. */
export function faultsOf(items: readonly AtlasItem[]): Fault[] {
  const found = new Map<string, { fault: string; metric: string; groups: Map<Level, number> }>();
  for (const { fault, metric, level } of items) {
    const key = `${metric}\n${fault}`;
    const one = found.get(key) ?? { fault, metric, groups: new Map<Level, number>() };
    one.groups.set(level, (one.groups.get(level) ?? 0) + 1);
    found.set(key, one);
  }
  const faults = [...found.values()].map(({ fault, metric, groups }) => {
    const sorted = [...groups].sort(([, one], [, other]) => other - one);
    return { fault, metric, count: sorted.reduce((sum, [, count]) => sum + count, 0), groups: sorted };
  });
  return faults.sort((one, other) => other.count - one.count);
}
