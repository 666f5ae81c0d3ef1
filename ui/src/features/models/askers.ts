// Who needs which keys: providers of models on one side, services behind tools on the other.
import type { KeyRow, ModelSummary } from '../../ipc/types';

export interface Asker {
  name: string;
  /** Where its server is unless told otherwise. */
  address: string | null;
  keys: KeyRow[];
}

export interface Askers {
  models: Asker[];
  services: Asker[];
}

/** Every provider stands there, also one that needs no key; in the order of the lists. */
export function askers(models: readonly ModelSummary[], keys: readonly KeyRow[]): Askers {
  const providers = new Map<string, string | null>();
  for (const { id, kind, default_base_url } of models) {
    if (kind === 'server') providers.set(id.replace(/\/.*$/, ''), default_base_url);
  }
  const of = (name: string) => keys.filter((row) => row.asked_by === name);
  const services = [...new Set(keys.map((row) => row.asked_by))].filter((name) => !providers.has(name));
  return {
    models: [...providers].map(([name, address]) => ({ name, address, keys: of(name) })),
    services: services.map((name) => ({ name, address: null, keys: of(name) })),
  };
}
