// Whether the program behind a browser's page answers. The window has no such question: it and its program end together.

/** `lost`: no answer, and asked again until there is one. `signed_out`: there is a program, and it does not know us. */
export type ConnectionState = 'there' | 'lost' | 'signed_out';

export class Connection {
  #state: ConnectionState = 'there';
  #watchers = new Set<(state: ConnectionState) => void>();

  get state(): ConnectionState {
    return this.#state;
  }

  tell(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const watcher of this.#watchers) watcher(state);
  }

  /** Calls back with the state now and each later one; returns how to stop. */
  watch(changed: (state: ConnectionState) => void): () => void {
    this.#watchers.add(changed);
    changed(this.#state);
    return () => this.#watchers.delete(changed);
  }
}
