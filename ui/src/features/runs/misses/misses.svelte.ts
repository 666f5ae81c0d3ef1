// What a run missed and the fill of it, as the page shows them. The engine knows both, so a reload loses nothing: a fill
// under way is found among the jobs, the last one's end is asked for.
import type { FillEnd, Job } from '../../../ipc/gen';
import { Action } from '../../../shared/action.svelte';
import { useHost } from '../../../shared/host';
import { useCall } from '../../../shared/query.svelte';

/** Call it while a component is made. */
export function useMisses(run: string) {
  const { client, jobs } = useHost();
  const isOurs = ({ kind, about }: Job) => kind === 'cache_fill' && about[0] === run;
  const found = useCall('cache_misses', () => ({ run }));
  const last = useCall('cache_fill_end', () => ({ run }));
  const read = () => Promise.all([found.load(), last.load()]);

  // What is missing by way of keys was seen before, and is left out. The end stands beside what is left, not beside what was
  // there before.
  const fill = new Action(() => client.call('cache_fill', { request: { run, without_keys: true } }).finally(read));
  const filling = $derived(jobs.underWay.find(isOurs) ?? null);

  // One that was begun elsewhere, such as before a reload, has nobody here who waits for its end.
  $effect(() =>
    jobs.onOver((job) => {
      if (isOurs(job) && !fill.busy) void read();
    }),
  );

  return {
    found,
    fill,
    /** The fill under way. */
    get filling(): Job | null {
      return filling;
    },
    get busy(): boolean {
      return fill.busy || filling !== null;
    },
    /** How the last fill ended. */
    get end(): FillEnd | null {
      return last.value ?? fill.value;
    },
    async stop(): Promise<void> {
      if (filling) await jobs.cancel(filling.id);
    },
  };
}
