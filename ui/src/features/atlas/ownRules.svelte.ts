// Saved searches as rules of the atlas: which of its attempts each matches. New runs are read into the index of the search first.
import { toWireError } from '../../ipc/errors';
import type { AtlasAttempt, AtlasView, FindMatches, Sentence } from '../../ipc/gen';
import { useHost } from '../../shared/host';
import { type Query, useQuery } from '../../shared/query.svelte';

/** A search that is kept under a name. */
export interface OwnRule {
  name: string;
  query: string;
}

export interface RuleMatches extends Query<FindMatches> {
  /** Runs that the index of the search does not have yet. */
  readonly pending: number;
  /** Whether an attempt matches a rule. */
  has: (rule: string, view: AtlasView, attempt: AtlasAttempt) => boolean;
  faultOf: (rule: string) => Sentence | null;
}

/** The atlas has the first repetition of each task. */
const FIRST = 1;
const keyOf = (run: string, task: string) => `${run} ${task}`;

/** Asks when the rules or the runs change; without rules nothing is asked. Call it while a component is made. */
export function useRuleMatches(rules: () => readonly OwnRule[], view: () => AtlasView | null): RuleMatches {
  const { client } = useHost();
  // An answer for other runs is not kept: its attempts are none of these.
  const asked = useQuery(() => {
    const queries = rules().map(({ query }) => query);
    const runs = [...new Set((view()?.sources ?? []).flatMap(({ run }) => (run ? [run] : [])))].sort();
    return queries.length === 0 || runs.length === 0
      ? null
      : {
          key: ['find_attempts', queries.join('\n'), runs.join('\n')],
          ask: async (left) => {
            await client.call('find_update', {}, left).catch((error: unknown) => {
              // What was read before it was stopped can be searched, and the answer says what is left.
              if (toWireError(error).code !== 'cancelled') throw error;
            });
            return client.call('find_attempts', { queries, runs }, left);
          },
          of: ['find_attempts'],
        };
  });
  const place = (rule: string) => rules().findIndex(({ name }) => name === rule);
  const sets = $derived(
    (asked.value?.queries ?? []).map(
      ({ attempts }) =>
        new Set(attempts.filter(({ repetition }) => repetition === FIRST).map(({ run, task }) => keyOf(run, task))),
    ),
  );
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
    get pending() {
      return asked.value?.pending ?? 0;
    },
    has: (rule, { sources }, { source, task }) => {
      const run = sources[source]?.run;
      return Boolean(run && sets[place(rule)]?.has(keyOf(run, task)));
    },
    faultOf: (rule) => asked.value?.queries[place(rule)]?.fault ?? null,
  };
}
