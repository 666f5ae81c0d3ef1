// The judges that a field offers, and the words about one.
import type { ModelSummary } from '../../ipc/gen';
import { missingKeys, providerOf } from '../connections/provider';
import { locale } from '../locale.svelte';
import type { About } from '../models/about.svelte';
import { lastUsed } from '../models/lastUsed';
import { entryOf, modelOptions, usedFirst } from '../models/options';
import { sameVendor } from '../models/vendor';
import type { SearchOption } from '../search/options';

/** The judge of the published leaderboard. */
export const PUBLISHED_JUDGE = 'azure/gpt-4.1-mini';

/**
 * The published judge, those that were used last, the models of the connections and those on this computer, without those
 * that judge already. `judged` are the models that they would judge.
 */
export function judgeOffers(
  models: readonly ModelSummary[],
  chosen: readonly string[],
  judged: readonly string[],
  about: (id: string) => About,
): SearchOption[] {
  const t = locale.t;
  const aboutJudge = (id: string): About => {
    const known = about(id);
    const isOwn = sameVendor(id, judged).length > 0;
    const warnings = [known.warning, isOwn && t.judging.coverage.own].filter(Boolean).join(' · ');
    return { ...known, ...(warnings ? { warning: warnings } : {}) };
  };
  const published = { value: PUBLISHED_JUDGE, mark: t.connections.leaderboardJudge, ...aboutJudge(PUBLISHED_JUDGE) };
  const used = lastUsed('judge').filter((id) => id !== PUBLISHED_JUDGE && entryOf(id, models));
  const canJudge = models.filter(({ kind, connection }) => kind === 'local' || connection);
  const others = usedFirst(
    modelOptions(canJudge, [], aboutJudge).filter(({ value }) => !value.endsWith('/') && value !== PUBLISHED_JUDGE),
    used.map((value) => ({ value, ...aboutJudge(value) })),
  );
  return [published, ...others].filter(({ value }) => !chosen.includes(value));
}

/** Whether one of them has no address by itself: models of connections have theirs, and those on this computer need none. */
export function needAddress(judges: readonly string[], models: readonly ModelSummary[]): boolean {
  return judges.some((id) => !providerOf(id, models)?.connection && !id.toLowerCase().startsWith('local/'));
}

/** More of a kind are found by search. */
const MAX_READY = 3;

/**
 * Judges that can be asked without another setting: the published one where its key is there, some models of the
 * connections, and one on this computer. Never the judged model itself.
 */
export function readyJudges(models: readonly ModelSummary[], judged: string): string[] {
  const azure = providerOf(PUBLISHED_JUDGE, models);
  const published = azure && missingKeys(azure).length === 0 ? [PUBLISHED_JUDGE] : [];
  const connected = models.flatMap(({ id, connection }) =>
    connection && missingKeys(providerOf(id, models)).length === 0
      ? connection.models.map((model) => `${connection.name}/${model}`)
      : [],
  );
  const local = models.filter(({ kind, id }) => kind === 'local' && !id.endsWith('/')).map(({ id }) => id);
  const others = (ids: string[]) => ids.filter((id) => id !== judged);
  return [...published, ...others(connected).slice(0, MAX_READY), ...others(local).slice(0, 1)];
}
