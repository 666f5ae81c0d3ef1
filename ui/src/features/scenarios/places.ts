// Addresses of the scenario screens. A folder that is not named is the workspace's.
import type { ScenarioScorer } from '../../ipc/gen';
import { at, type Query } from '../../shared/route.svelte';

export interface TrialName {
  scenario: string;
  instance: string;
  repetition: number;
}

export const SCORERS: ScenarioScorer[] = ['markers', 'gaia', 'math'];

const kept = (query: Record<string, string | null | undefined>): Query =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const home = (folder?: string | null) => at('scenarios', kept({ folder }));
export const form = () => at('scenarios', 'new');
export const live = (id: string) => at('scenarios', 'live', id);
export const table = (scenario: string, folder?: string | null, scorer?: string) =>
  at('scenarios', 'table', scenario, kept({ folder, scorer: scorer === 'markers' ? undefined : scorer }));
export const trial = ({ scenario, instance, repetition }: TrialName, folder?: string | null, scorer?: string) =>
  at(
    'scenarios',
    'trial',
    scenario,
    instance,
    String(repetition),
    kept({ folder, scorer: scorer === 'markers' ? undefined : scorer }),
  );
export const compare = (query: Record<string, string | null | undefined>) => at('scenarios', 'compare', kept(query));

export const scorerOf = (query: Query): ScenarioScorer => SCORERS.find((one) => one === query['scorer']) ?? 'markers';
export const folderOf = (query: Query): string | null => query['folder'] ?? null;
