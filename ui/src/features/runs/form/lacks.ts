// Which keys the models and judges of a draft lack, as far as the list of models says.
import type { ModelSummary } from '../../../ipc/gen';
import { asAddress } from '../../../shared/address';
import { missingKeys, providerOf } from '../../../shared/connections/provider';
import { isScored, modelOf, type Draft } from './draft';
import { judgesOf } from '../scoring/judgeChoice';

/** A model or judge without its keys. */
export interface Lack {
  /** Its id as drafted. */
  id: string;
  /** Names of keys and settings that are not set; of each group one is enough. */
  keys: string[][];
}

const trimmed = (url: string) => asAddress(url).replace(/\/+$/, '');

/** The models, then the judges, that lack something, each once. */
export function lacksOf(draft: Draft, models: readonly ModelSummary[]): Lack[] {
  const asked = draft.models.map((row) => ({ id: modelOf(row), baseUrl: row.baseUrl }));
  const judging = isScored(draft) ? judgesOf(draft).map((id) => ({ id, baseUrl: draft.judgeBaseUrl })) : [];
  const lacks = new Map<string, string[][]>();
  for (const { id, baseUrl } of [...asked, ...judging]) {
    const model = providerOf(id, models);
    if (!model) continue;
    const given = trimmed(baseUrl);
    // Whoever answers at another address has no use for the provider's keys.
    if (given !== '' && given !== trimmed(model.default_base_url ?? '')) continue;
    const keys = missingKeys(model);
    if (keys.length > 0) lacks.set(id, keys);
  }
  return [...lacks].map(([id, keys]) => ({ id, keys }));
}
