// The judges that a form offers.
import type { ModelSummary } from '../../ipc/gen';
import { connected } from '../connections/draft.svelte';
import { missingKeys, providerOf } from '../connections/provider';
import type { SearchOption } from '../search/options';

/** The judge of the published leaderboard. */
export const PUBLISHED_JUDGE = 'azure/gpt-4.1-mini';

interface Words {
  leaderboardJudge: string;
  lacksKey: (names: string) => string;
}

/** The published judge, then the models of the connections and those on this computer, without those that judge already. */
export function judgeOffers(models: readonly ModelSummary[], chosen: readonly string[], words: Words): SearchOption[] {
  const own = connected(models.flatMap(({ connection }) => connection ?? []));
  const local = models.filter(({ kind }) => kind === 'local').map(({ id }) => id);
  const ids = [...new Set([PUBLISHED_JUDGE, ...own, ...local])].filter((id) => !chosen.includes(id));
  return ids.map((value) => {
    const keys = missingKeys(providerOf(value, models)).map((names) => names.join(' / '));
    return {
      value,
      ...(value === PUBLISHED_JUDGE ? { mark: words.leaderboardJudge } : {}),
      ...(keys.length > 0 ? { lack: words.lacksKey(keys.join(', ')) } : {}),
    };
  });
}
