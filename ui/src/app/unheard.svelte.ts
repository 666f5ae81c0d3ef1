// What the host was to tell this window from now on, and which of it that it cannot.

export type Telling = 'drop' | 'link' | 'close';

export class Unheard {
  /** What this window will not hear of; the user has not been told yet. */
  news = $state.raw<readonly Telling[]>([]);

  /** Keeps how a registration ends, or that it failed. Returns how to end it. */
  hear(what: Telling, begun: Promise<() => void>): () => void {
    const ending = begun.catch(() => {
      this.news = [...this.news, what];
      return () => undefined;
    });
    return () => void ending.then((end) => end());
  }

  clear = (): void => {
    this.news = [];
  };
}
