// What the drafted runs would take: asked of the engine shortly after the form has come to rest.
import { toWireError } from '../../../ipc/errors';
import type { DryRun, RunRequest, WireError } from '../../../ipc/gen';
import { useHost } from '../../../shared/host';
import { useQuery } from '../../../shared/query.svelte';
import { useRested } from '../../../shared/rested.svelte';

/** What one of the drafted runs would take, or why that cannot be said. */
export type Expected = { request: RunRequest; run: DryRun | null; error: WireError | null };

/** The estimates of these; of others before, while those are awaited. Call it while a component is made. */
export function useEstimates(requests: () => RunRequest[]): { readonly all: Expected[]; readonly loading: boolean } {
  const { client } = useHost();
  const ask = (request: RunRequest): Promise<Expected> =>
    client.call('run_estimate', { request }).then(
      (run) => ({ request, run, error: null }),
      (error: unknown) => ({ request, run: null, error: toWireError(error) }),
    );
  const rested = useRested(() => (requests().length > 0 ? requests() : null));
  const found = useQuery(
    () => {
      const wanted = rested.value;
      return (
        wanted && {
          key: ['run_estimate', wanted],
          ask: () => Promise.all(wanted.map(ask)),
          of: ['run_estimate'],
        }
      );
    },
    { keep: true },
  );
  return {
    get all() {
      return found.value ?? [];
    },
    get loading() {
      return rested.moving || found.loading;
    },
  };
}

/** Whether its part is truly none; else no estimate means that nothing is known. */
export const asksNobody = (run: DryRun): boolean => run.estimate === null && run.model.startsWith('baseline/');

/** Sums over models: `null` as soon as one part is not known. */
export function sumOf(
  all: readonly Expected[],
  part: (estimate: NonNullable<DryRun['estimate']>) => number | null,
): number | null {
  let sum = 0;
  for (const { run } of all) {
    if (!run) return null;
    const value = run.estimate ? part(run.estimate) : asksNobody(run) ? 0 : null;
    if (value === null) return null;
    sum += value;
  }
  return all.length > 0 ? sum : null;
}
