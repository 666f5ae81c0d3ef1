// What the address says about an atlas: `#/atlas?reports=a,b&by=model&level=L5&cause=asked_back`. Report ids hold no commas.
import { at, route, type Query } from '../../shared/route.svelte';

export const reportsOf = (query: Query): string[] => (query['reports'] ?? '').split(',').filter(Boolean);

/** The same place with other values; an empty one goes. */
export function changed(change: Query): string {
  const query = Object.fromEntries(
    Object.entries({ ...route.place.query, ...change }).filter(([, value]) => value !== ''),
  );
  return at('atlas', query);
}
