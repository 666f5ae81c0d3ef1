// Who needs which keys: providers of models on one side, services behind tools on the other.
import type { KeyRow, ModelSummary } from '../../ipc/gen';
import { providersOf } from '../../shared/connections/draft.svelte';

export interface Asker {
  name: string;
  /** Where its server is unless told otherwise. */
  address: string | null;
  /** Whether one has to be given. Others without one make theirs of their settings, such as a region. */
  needsAddress: boolean;
  keys: KeyRow[];
}

export interface Askers {
  models: Asker[];
  services: Asker[];
}

/** Every provider stands there, also one that needs no key; in the order of the lists. */
export function askers(models: readonly ModelSummary[], keys: readonly KeyRow[]): Askers {
  const servers = providersOf(models);
  const providers = new Map(servers.map((model) => [model.id.replace(/\/.*$/, ''), model]));
  // A key for one server alone ends with its address; a connection asks for it.
  const ofServers = keys.filter(({ name }) => name.includes('@'));
  const others = keys.filter((row) => !ofServers.includes(row));
  const of = (name: string) => others.filter((row) => row.asked_by === name);
  const services = [...new Set(others.map((row) => row.asked_by))].filter((name) => !providers.has(name));
  const connections = ofServers.map((row) => ({
    name: row.asked_by,
    address: row.name.slice(row.name.indexOf('@') + 1),
    needsAddress: false,
    keys: [row],
  }));
  return {
    models: [
      ...connections,
      ...[...providers].map(([name, { default_base_url, needs_base_url }]) => ({
        name,
        address: default_base_url,
        needsAddress: needs_base_url,
        keys: of(name),
      })),
    ],
    services: services.map((name) => ({ name, address: null, needsAddress: false, keys: of(name) })),
  };
}
