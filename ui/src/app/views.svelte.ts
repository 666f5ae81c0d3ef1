// Addresses of the room of results that are kept under a name: chosen reports, filters, tab. The page keeps them, for each
// workspace its own.
import { queryOf } from '../features/find/query';
import { parsePlace } from '../shared/route.svelte';

export interface View {
  name: string;
  address: string;
}

const isView = (one: unknown): one is View =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  typeof one.name === 'string' &&
  'address' in one &&
  typeof one.address === 'string' &&
  one.address.startsWith('#/');

/** Views that are searches through transcripts, each with the whole query. */
export const searchesOf = (views: readonly View[]): { name: string; query: string }[] =>
  views.flatMap(({ name, address }) => {
    const { screen, query } = parsePlace(address);
    const text = screen === 'find' ? queryOf(query) : '';
    return text === '' ? [] : [{ name, query: text }];
  });

const made = new Map<string, Views>();

/** The views of a workspace; every part of the page has the same. */
export function viewsOf(home: string): Views {
  const views = made.get(home) ?? new Views(home);
  made.set(home, views);
  return views;
}

export class Views {
  all = $state.raw<readonly View[]>([]);
  /** What was there before the last removal. */
  before = $state.raw<readonly View[] | null>(null);
  #key: string;

  /** `home` is the folder of the workspace. */
  constructor(home: string) {
    this.#key = `koab.views ${home}`;
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]');
      this.all = Array.isArray(kept) ? kept.filter(isView) : [];
    } catch {
      // Not ours to read: the next one that is kept takes its place.
    }
  }

  /** Under a name that is there already it takes the place of that one. */
  keep(name: string, address: string): void {
    this.#set([...this.all.filter((one) => one.name !== name), { name, address }]);
  }

  /** Answers whether the name was free. */
  rename(from: string, to: string): boolean {
    if (to === '' || this.all.some(({ name }) => name === to)) return to === from;
    this.#set(this.all.map((one) => (one.name === from ? { ...one, name: to } : one)));
    return true;
  }

  remove(name: string): void {
    const before = this.all;
    this.#set(before.filter((one) => one.name !== name));
    this.before = before;
  }

  undo(): void {
    if (this.before) this.#set(this.before);
  }

  #set(all: readonly View[]): void {
    this.all = all;
    this.before = null;
    localStorage.setItem(this.#key, JSON.stringify(all));
  }
}
