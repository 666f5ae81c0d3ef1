// Who needs which keys: providers of models on one side, tools and services on the other.
import type { KeyRow, ModelSummary } from '../../ipc/gen';
import { providersOf } from '../../shared/connections/draft.svelte';
import { askerName } from './variables';

/** Whether it has the keys and settings that its own address asks for. */
export type Standing = 'ready' | 'keyless' | 'lacking';

export interface Asker {
  /** As the engine names it. */
  id: string;
  /** As people do. */
  name: string;
  /** Where its server is unless told otherwise. */
  address: string | null;
  /** Whether one has to be given. Others without one make theirs of their settings, such as a region. */
  needsAddress: boolean;
  keys: KeyRow[];
  standing: Standing;
}

export interface Askers {
  models: Asker[];
  services: Asker[];
}

/** Every provider is there, also one that needs no key; in the order of the lists. */
export function askers(models: readonly ModelSummary[], keys: readonly KeyRow[]): Askers {
  const providers = new Map(providersOf(models).map((model) => [model.id.replace(/\/.*$/, ''), model]));
  // A key for one server alone ends with its address; a connection asks for it.
  const ofServers = keys.filter(({ name }) => name.includes('@'));
  const others = keys.filter((row) => !ofServers.includes(row));
  const of = (name: string) => others.filter((row) => row.asked_by === name);
  const services = [...new Set(others.map((row) => row.asked_by))].filter((name) => !providers.has(name));
  const standing = (has: readonly KeyRow[]): Standing => (has.some(({ present }) => present) ? 'ready' : 'lacking');
  return {
    models: [
      ...ofServers.map((row) => ({
        id: row.asked_by,
        name: row.asked_by,
        address: row.name.slice(row.name.indexOf('@') + 1),
        needsAddress: false,
        keys: [row],
        // A server that asks for no key needs none of its own.
        standing: row.present ? ('ready' as const) : ('keyless' as const),
      })),
      ...[...providers].map(([id, { default_base_url, needs_base_url, needs }]) => ({
        id,
        name: askerName(id),
        address: default_base_url,
        needsAddress: needs_base_url,
        keys: of(id),
        standing: standingOf(needs),
      })),
    ],
    services: services.map((id) => ({
      id,
      name: askerName(id),
      address: null,
      needsAddress: false,
      keys: of(id),
      standing: standing(of(id)),
    })),
  };
}

function standingOf(needs: ModelSummary['needs']): Standing {
  if (needs.length === 0) return 'keyless';
  return needs.every(({ present }) => present) ? 'ready' : 'lacking';
}

/** Those whose name or one of whose variables has the text. */
export function matching(all: readonly Asker[], text: string): Asker[] {
  const wanted = text.trim().toLowerCase();
  const has = (one: string) => one.toLowerCase().includes(wanted);
  return all.filter(({ id, name, keys }) => has(id) || has(name) || keys.some((row) => has(row.name)));
}
