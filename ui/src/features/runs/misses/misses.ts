// Narrowing and grouping what a run missed.
import type { Level, Miss, MissStanding } from '../../../ipc/gen';

export type Standing = MissStanding['kind'];
export const MISS_STANDINGS: readonly Standing[] = ['open', 'kept', 'recorded', 'refused'];

export interface MissFilter {
  tool: string;
  level: Level | '';
  standing: Standing | '';
}

export const EVERY_MISS: MissFilter = { tool: '', level: '', standing: '' };

export function fitting(misses: readonly Miss[], { tool, level, standing }: MissFilter): Miss[] {
  return misses.filter(
    (miss) =>
      (tool === '' || miss.tool === tool) &&
      (level === '' || miss.level === level) &&
      (standing === '' || miss.standing.kind === standing),
  );
}

/** The misses of one task, as they stand together. */
export interface TaskMisses {
  task: string;
  level: Level;
  misses: Miss[];
}

export function byTask(misses: readonly Miss[]): TaskMisses[] {
  const groups: TaskMisses[] = [];
  for (const miss of misses) {
    const last = groups.at(-1);
    if (last?.task === miss.task && last.level === miss.level) last.misses.push(miss);
    else groups.push({ task: miss.task, level: miss.level, misses: [miss] });
  }
  return groups;
}
