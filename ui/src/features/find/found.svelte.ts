// The answer to a query over all transcripts: new runs are read first, which shows how far it is.
import { useHost } from '../../shared/host';
import { toWireError } from '../../ipc/errors';
import type { FindAnswer } from '../../ipc/gen';
import { useQuery, type Query } from '../../shared/query.svelte';

interface Found extends Query<FindAnswer> {
  /** How many of how many runs have been read, while they are. */
  readonly reading: { done: number; total: number } | null;
}

/** Searches when the query or the number of hits changes, or runs do; no query asks nothing. Call it while a component is made. */
export function useFound(query: () => string, limit: () => number): Found {
  const { client, jobs } = useHost();
  $effect(() => jobs.begin());
  const asked = useQuery(
    () => {
      const [text, hits] = [query(), limit()];
      return text === ''
        ? null
        : {
            key: ['find', text, hits],
            ask: async (left) => {
              await client.call('find_update', {}, left).catch((error: unknown) => {
                // What was read before it was stopped can be searched, and the answer says what is left.
                if (toWireError(error).code !== 'cancelled') throw error;
              });
              return client.call('find', { query: text, offset: 0, limit: hits }, left);
            },
            of: ['find'],
          };
    },
    { keep: true },
  );
  const job = $derived(jobs.underWay.find(({ kind }) => kind === 'find_index'));
  return {
    get value() {
      return asked.value;
    },
    get error() {
      return asked.error;
    },
    get loading() {
      return asked.loading;
    },
    load: () => asked.load(),
    get reading() {
      return job && job.total !== null ? { done: job.done, total: job.total } : null;
    },
  };
}
