// The models on this computer and what is being fetched, as the engine knows them; asked for when it tells of a download.
import type { LocalModels, PullState } from '../../ipc/gen';
import { useHost } from '../../shared/host';
import { useCall, type Query } from '../../shared/query.svelte';
import { onNews } from '../../shared/watch.svelte';

export interface Library {
  readonly list: Query<LocalModels>;
  readonly pulls: PullState[];
  /** Reads the whole list anew. */
  load: () => Promise<void>;
  /** Looks at the downloads alone; one that is gone has become a model. */
  look: () => Promise<void>;
}

/** Call it while a component is made. */
export function useLibrary(): Library {
  const { client, jobs } = useHost();
  const list = useCall('local_list', () => ({}));
  let pulls = $state.raw<PullState[]>([]);
  const take = () => (pulls = list.value?.pulls ?? []);
  $effect(() => void take());

  async function load(): Promise<void> {
    await list.load();
    take();
  }
  const look = onNews(jobs, 'model_pull', async () => {
    const before = pulls;
    const now = await client.call('pulls_list', {}).catch(() => before);
    if (before.some(({ id }) => !now.some((pull) => pull.id === id))) await load();
    else pulls = now;
  });

  return {
    list,
    get pulls() {
      return pulls;
    },
    load,
    look,
  };
}
