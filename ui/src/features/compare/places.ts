// What the address says about a comparison: `#/compare?reports=a,b&level=L3&metric=FSM`, or `#/compare?all=pairs` for the library. Report ids hold no commas.
import { at } from '../../shared/route.svelte';

/** The two that are tested against each other: those the address names, else the first two. */
export function pairOf(query: Record<string, string>, ids: string[]): string[] {
  const named = (query['pair'] ?? '').split(',').filter((id) => ids.includes(id));
  return named.length === 2 && named[0] !== named[1] ? named : ids.slice(0, 2);
}

/** The tables of tests that are unfolded. */
export const opened = (query: Record<string, string>): string[] => (query['open'] ?? '').split(',').filter(Boolean);

export const taskPlace = (task: string, reports: string[]): string =>
  at('compare', task, { reports: reports.join(',') });
