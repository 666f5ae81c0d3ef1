// Lists are read again when the reader comes back to the page: a terminal or another window may
// have changed them.
import type { QueryClient } from '@tanstack/svelte-query';
import type { Commands } from '../ipc/gen';

/** Cheap to ask for, and changed by other processes. */
const LISTS: ReadonlySet<unknown> = new Set<keyof Commands>([
  'runs_list',
  'reports_library',
  'packs_list',
  'drafts_list',
  'snapshots_list',
  'sweeps_list',
  'adaptive_list',
  'forks_list',
  'queues_list',
  'trash_list',
]);

/** Returns how to stop. */
export function readListsOnReturn(queries: QueryClient): () => void {
  const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => LISTS.has(queryKey[0]);
  // Focus and visibility come together: the second finds the first's questions on their way and
  // adds none.
  const read = () => {
    if (document.visibilityState === 'visible')
      void queries.invalidateQueries({ predicate: isList }, { cancelRefetch: false });
  };
  addEventListener('focus', read);
  document.addEventListener('visibilitychange', read);
  return () => {
    removeEventListener('focus', read);
    document.removeEventListener('visibilitychange', read);
  };
}
