// Which keys the drafted runs would miss. Whether a server really asks for one is seen when it is asked.
import type { KeyRow, RunRequest } from '../../ipc/types';

/** A provider of which no key is set. */
export interface MissingKey {
  provider: string;
  /** Names of the keys it takes. */
  names: string[];
}

const providerOf = (model: string) => model.replace(/\/.*$/, '').toLowerCase();

/** Whether anybody is asked who may want a key. */
export function asksSomebody(requests: readonly RunRequest[]): boolean {
  return requests.some(({ model, score }) => !model.startsWith('baseline/') || (score?.judges.length ?? 0) > 0);
}

export function missingKeys(requests: readonly RunRequest[], keys: readonly KeyRow[]): MissingKey[] {
  const providers = new Set(requests.flatMap(({ model, score }) => [model, ...(score?.judges ?? [])]).map(providerOf));
  return [...providers].flatMap((provider) => {
    const asked = keys.filter(({ asked_by }) => asked_by.toLowerCase() === provider);
    if (asked.length === 0 || asked.some(({ present }) => present)) return [];
    return [{ provider, names: asked.map(({ name }) => name) }];
  });
}
