// What the address says about a comparison: `#/compare?reports=a,b&level=L3&metric=FSM`. Report ids hold no commas.
import { at, route } from '../../shared/route.svelte';

export const reportsOf = (query: Record<string, string>): string[] => (query['reports'] ?? '').split(',').filter(Boolean);

/** The same place with other values; an empty one goes. */
export function changed(change: Record<string, string>): string {
  const query = Object.fromEntries(Object.entries({ ...route.place.query, ...change }).filter(([, value]) => value !== ''));
  return at('compare', query);
}

export const taskPlace = (task: string, reports: string[]): string => at('compare', task, { reports: reports.join(',') });
