// What the address says about a comparison: `#/compare?reports=a,b&level=L3&metric=FSM`, or `#/compare?all=pairs` for the library. Report ids hold no commas.
import { at, route } from '../../shared/route.svelte';

/** Which of the others is tested against the first: the one that the address names, else the second. */
export function otherOf(query: Record<string, string>, ids: string[]): string {
  const others = ids.slice(1);
  const named = (query['pair'] ?? '').split(',').find((id) => others.includes(id));
  return named ?? others[0] ?? '';
}

/** The tables of tests that are unfolded. */
export const opened = (query: Record<string, string>): string[] => (query['open'] ?? '').split(',').filter(Boolean);

export const taskPlace = (task: string, reports: string[]): string =>
  at('compare', task, { reports: reports.join(',') });

/** The same reports with another baseline: all others are compared with it. */
export const compareWith = (first: string, ids: string[], more: Record<string, string> = {}): string =>
  at('compare', {
    ...route.place.query,
    reports: [first, ...ids.filter((id) => id !== first)].join(','),
    ...more,
  });
