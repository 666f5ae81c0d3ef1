// Lists as they were left: filters, order and ticks of each, for the ways back to it from the pages of what it lists.
import { at, type Query } from './route.svelte';

const left = new Map<string, Query>();

/** Remembers how a list is shown now. */
export const leaveList = (screen: string, query: Query): void => void left.set(screen, query);

/** How a list was left; nothing when it was not looked at yet. */
export const asLeft = (screen: string): Query => left.get(screen) ?? {};

/** The address of a list as it was left; `change` is added to it. */
export function backTo(screen: string, change: Query = {}): string {
  const query = Object.entries({ ...left.get(screen), ...change }).filter(([, value]) => value !== '');
  return query.length === 0 ? at(screen) : at(screen, Object.fromEntries(query));
}
