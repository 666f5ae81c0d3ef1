// What a run's shards and those of scenarios have in common where they are shown.
import type { EngineKind, WorkerStanding } from '../../ipc/gen';
import { locale, number } from '../locale.svelte';

/** As often as an engine is asked while workers are there: its controller serves everybody. */
export const ASK_EVERY_MS = 3000;

/** Names, the same in every language. */
export const ENGINES: Record<EngineKind, string> = { slurm: 'Slurm', kubernetes: 'Kubernetes' };

const STATES: readonly WorkerStanding[] = ['done', 'running', 'waiting', 'failed', 'cancelled', 'unknown'];

/** "done 3, failed 1": how many shards are in each state. */
export function counted(of: (state: WorkerStanding) => number): string {
  const { states } = locale.t.cluster;
  return STATES.filter((state) => of(state) > 0)
    .map((state) => `${states[state]} ${number(of(state))}`)
    .join(', ');
}
