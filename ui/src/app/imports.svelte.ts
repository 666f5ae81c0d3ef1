// Taking in files: dropped anywhere on the window, or chosen. The engine keeps what an import brought, and the address
// says which one is shown, so a reload shows it again.
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type { ImportResult, WireError } from '../ipc/gen';
import type { Platform } from '../platform/types';
import type { Jobs } from '../shared/jobs.svelte';
import { at, route } from '../shared/route.svelte';

const QUERY = 'import';
/** In the place of an import's id: nothing is chosen yet. */
const OPEN = 'new';

export class Imports {
  /** Files hover over the window. */
  hovering = $state(false);
  busy = $state(false);
  /** Files that a link names: nothing of them is read before the user says so. */
  proposed = $state<string | null>(null);
  result = $state.raw<ImportResult | null>(null);
  error = $state.raw<WireError | null>(null);

  #client: Client;
  #platform: Platform;
  /** Says that runs, reports or packs may have come in. */
  #onTaken: () => void;
  /** The import that was answered here last: its job may tell its end later than that. */
  #answered: string | null = null;

  constructor(client: Client, platform: Platform, onTaken: () => void) {
    this.#client = client;
    this.#platform = platform;
    this.#onTaken = onTaken;
  }

  /**
   * Takes what is dropped, and shows again what a reload interrupted. `hear` keeps how hearing of drops ends, or that it
   * failed. Returns how to stop.
   */
  begin(jobs: Jobs, hear: (begun: Promise<() => void>) => () => void): () => void {
    const begun = this.#platform.onDrop(
      (paths) => void this.take(paths),
      (hovering) => (this.hovering = hovering),
      (error) => (this.error = error),
    );
    const stop = hear(begun);
    // An import that this page began before it was reloaded is answered to nobody: its job tells its end.
    const unwatch = jobs.onOver(({ kind, id, error }) => {
      if (kind !== 'import' || this.busy || id === this.#answered) return;
      if (error) this.error = error;
      else void this.show(id);
    });
    const asked = route.place.query[QUERY];
    if (asked && asked !== OPEN) void this.show(asked);
    return () => {
      unwatch();
      stop();
    };
  }

  /** Whether the dialog is asked for that says where files come from. */
  get isOpen(): boolean {
    return route.place.query[QUERY] === OPEN;
  }

  open = (): void => this.#go(OPEN);

  async choose(title: string, folders: boolean): Promise<void> {
    try {
      await this.take(await this.#platform.pick({ title, folders }));
    } catch (error) {
      this.error = toWireError(error);
    }
  }

  acceptProposed = (): void => {
    const { proposed } = this;
    this.proposed = null;
    if (proposed !== null) void this.take([proposed]);
  };

  async take(paths: string[]): Promise<void> {
    this.hovering = false;
    if (paths.length === 0 || this.busy) return;
    // A bundle alone is looked at before anything of it is taken in.
    const [bundle] = paths;
    if (paths.length === 1 && bundle?.toLowerCase().endsWith('.koab')) {
      this.error = null;
      route.go(at('reports', { verify: bundle }));
      return;
    }
    if (this.isOpen) this.close();
    this.busy = true;
    this.error = null;
    try {
      const result = await this.#client.call('import_files', { paths });
      this.#answered = result.id;
      this.#shown(result);
    } catch (error) {
      this.error = toWireError(error);
    } finally {
      this.busy = false;
    }
  }

  /** Shows what an import brought, if the engine still knows. */
  async show(id: string): Promise<void> {
    const result = await this.#client.call('import_result', { id }).catch(() => null);
    if (result) this.#shown(result);
    else this.close();
  }

  close = (): void => {
    this.result = null;
    this.#go('');
  };

  /** Says in the address what is shown of importing. */
  #go(shown: string): void {
    const { [QUERY]: _, ...query } = route.place.query;
    route.go(at(route.place.screen, ...route.place.rest, shown ? { ...query, [QUERY]: shown } : query), {
      replace: true,
    });
  }

  #shown(result: ImportResult): void {
    this.result = result;
    this.#go(result.id);
    this.#onTaken();
  }
}
