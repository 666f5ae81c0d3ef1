// Files on their way to `koab serve`: how far they are, and a way to stop.

export interface Upload {
  files: number;
  allFiles: number;
  bytes: number;
  allBytes: number;
  /** When it began, as `Date.now()` tells it. */
  since: number;
}

export class Uploads {
  /** The one that goes. */
  now = $state.raw<Upload | null>(null);
  #stop: AbortController | null = null;

  /** Tells of files of these sizes. `sent` counts one, `end` is called whatever the end is. */
  begin(sizes: readonly number[]): { left: AbortSignal; sent: (bytes: number) => void; end: () => void } {
    const stop = new AbortController();
    this.#stop = stop;
    const allBytes = sizes.reduce((sum, size) => sum + size, 0);
    this.now = { files: 0, allFiles: sizes.length, bytes: 0, allBytes, since: Date.now() };
    const isShown = () => this.#stop === stop && this.now !== null;
    return {
      left: stop.signal,
      sent: (bytes) => {
        const { now } = this;
        if (now && isShown()) this.now = { ...now, files: now.files + 1, bytes: now.bytes + bytes };
      },
      end: () => {
        // What is still on its way, after another file failed, leads nowhere.
        stop.abort();
        if (isShown()) this.now = null;
      },
    };
  }

  cancel = (): void => this.#stop?.abort();
}
