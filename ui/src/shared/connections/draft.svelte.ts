// A connection as a form holds it: where its models are, what the server lists, and the model that is meant.
import { untrack } from 'svelte';
import type { Client } from '../../ipc/client';
import type { Connection, KeyPlace, KeysView, ModelServer, ModelSummary } from '../../ipc/gen';
import { toWireError } from '../../ipc/errors';
import { Action } from '../action.svelte';
import { addressOrNull, asAddress, isAddress } from '../address';
import { preferences } from '../preferences.svelte';
import type { Changed } from '../query.svelte';

/** Time without a change after which an address counts as written. */
const REST_MS = 400;

/** Any server that speaks Chat Completions. */
export const ANY_SERVER = 'openai_compat';

/** The key of servers that have no key name of their own. */
export const SERVER_KEY = 'OPENAI_COMPAT_API_KEY';

/** The name of a key for one server alone, as `koab keys` names it. */
export const keyAt = (name: string, baseUrl: string): string => `${name}@${asAddress(baseUrl).replace(/\/+$/, '')}`;

/** The safest place for a key that there is: the keychain, else the file the user already made, else this session only. */
export function keyPlace({ keychain, file }: KeysView): KeyPlace {
  if (keychain === 'ready' || keychain === 'locked') return 'keychain';
  return file === 'open' ? 'file' : 'session';
}

/** Providers behind a server, without the user's connections. */
export const providersOf = (models: readonly ModelSummary[]): ModelSummary[] =>
  models.filter(({ kind, connection }) => kind === 'server' && !connection);

/** Every model of the connections, as `name/model`. */
export const connected = (connections: readonly Connection[]): string[] =>
  connections.flatMap(({ name, models }) => models.map((model) => `${name}/${model}`));

export const connectionsNow = (): Connection[] => preferences.view?.settings.connections ?? [];

/** A name that no connection has: the server's host, or `my-` and the provider. */
export function suggestName(provider: string, baseUrl: string, taken: readonly string[]): string {
  const address = asAddress(baseUrl);
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  const isHere = host === '' || host === 'localhost' || /^[\d.]+$|^\[/.test(host);
  const plain = (isHere ? '' : (host.split('.')[0] ?? '')).toLowerCase().replace(/[^a-z0-9._-]/g, '-');
  const base = plain && plain !== provider ? plain : provider === ANY_SERVER ? 'server' : `my-${provider}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

export class ConnectionDraft {
  provider = $state(ANY_SERVER);
  baseUrl = $state('');
  /** Handed to the engine and forgotten at once. */
  key = $state('');
  /** The name that it is kept under and what is known of keys, as the form knows them. */
  keeps = $state.raw<{ name: string; keys: KeysView } | null>(null);
  name = $state('');
  /** The model that is meant, as its server names it. */
  model = $state('');
  /** The server's models, `null` where it lists none. */
  readonly listed = new Action(async () => {
    await this.#keepKey();
    return this.#client.call('models_at', { provider: this.provider, base_url: addressOrNull(this.baseUrl) });
  });
  readonly probed = new Action(async () => {
    await this.#keepKey();
    return this.#client.call('model_probe', {
      model: `${this.provider}/${this.model}`,
      base_url: addressOrNull(this.baseUrl),
    });
  });
  /** The servers that run on this computer. */
  readonly servers = new Action(() => this.#client.call('servers_find', {}));
  /** Says what has changed; set by the form, which knows whom to tell. */
  changed: Changed = () => {};
  /** The connection that is edited; a new one without. */
  readonly was: Connection | null;
  /** Provider and address that were asked by themselves last. */
  #asked = $state('');
  #client: Client;
  /** The name under which this draft was kept last. */
  #kept: string | null = null;

  constructor(client: Client, was: Connection | null = null) {
    this.#client = client;
    this.was = was;
    if (!was) return;
    this.provider = was.provider;
    this.baseUrl = was.base_url ?? '';
    this.name = was.name;
    this.model = was.models[0] ?? '';
    this.listed.value = was.models;
  }

  /** Takes a server of this computer over. */
  take(server: ModelServer): void {
    this.provider = server.provider;
    this.baseUrl = server.base_url;
    this.#take(server.models.map((id) => id.replace(/^[^/]*\//, '')));
  }

  get hasAddress(): boolean {
    return isAddress(this.baseUrl, true);
  }

  /** Whether enough is said to ask for the server's models. */
  ready(entry: ModelSummary | undefined): boolean {
    if (this.baseUrl.trim() !== '') return this.hasAddress;
    return (
      entry !== undefined && !entry.needs_base_url && (this.key !== '' || entry.needs.every(({ present }) => present))
    );
  }

  /** Stores the key that was typed; it is forgotten here whatever the answer is. */
  async #keepKey(): Promise<void> {
    const [key, keeps] = [this.key.trim(), this.keeps];
    this.key = '';
    if (!key || !keeps) return;
    await this.#client.call('key_set', { name: keeps.name, value: key, place: keyPlace(keeps.keys) });
    this.changed('key_set');
  }

  /** Provider and address. */
  get place(): string {
    return `${this.provider} ${asAddress(this.baseUrl)}`;
  }

  /** Whether it was asked by itself what the server lists. */
  get isAsked(): boolean {
    return this.#asked !== '';
  }

  /** Asks what the server lists as soon as an address has not changed for a moment. Call it while a component is made. */
  listWhenRested(): void {
    this.#asked = '';
    $effect(() => {
      const { place } = this;
      if (!this.hasAddress || this.listed.value || this.listed.busy || place === untrack(() => this.#asked)) return;
      const timer = setTimeout(() => {
        this.#asked = place;
        void this.list();
      }, REST_MS);
      return () => clearTimeout(timer);
    });
  }

  /** What was listed belongs to the address before. */
  forget(): void {
    this.listed.clear();
    this.probed.clear();
    this.model = '';
    this.#asked = '';
  }

  /** Stores the key that was typed, then asks the server for its models. */
  async list(): Promise<void> {
    const { place } = this;
    await this.listed.run();
    // What another server answered is nobody's.
    if (place !== this.place) this.listed.clear();
    else if (!this.listed.error) this.#take(this.listed.value);
  }

  #take(models: string[] | null): void {
    this.listed.error = null;
    this.listed.value = models;
    if (!models?.includes(this.model)) this.model = models?.[0] ?? '';
  }

  /** Keeps the connection in the workspace; answers its name, or nothing where that was refused. */
  async save(): Promise<string | null> {
    const others = connectionsNow().filter(({ name }) => name !== this.was?.name && name !== this.#kept);
    const name =
      this.name.trim().toLowerCase() ||
      suggestName(
        this.provider,
        this.baseUrl,
        others.map(({ name }) => name),
      );
    const listed = this.listed.value ?? [];
    const models = this.model && !listed.includes(this.model) ? [this.model, ...listed] : listed;
    try {
      await this.#keepKey();
    } catch (problem) {
      this.listed.error = toWireError(problem);
      return null;
    }
    const connection: Connection = { name, provider: this.provider, base_url: addressOrNull(this.baseUrl), models };
    if (!(await preferences.change({ connections: [...others, connection] }))) return null;
    this.name = this.#kept = name;
    this.changed('settings_set');
    return name;
  }
}
