// For work that may wait until people see what is there already.

/** Resolves after the next frame has been painted; a page that nobody sees has none. */
export const painted = (): Promise<void> =>
  new Promise((done) =>
    document.visibilityState === 'hidden' ? setTimeout(done) : requestAnimationFrame(() => setTimeout(done)),
  );

/** Milliseconds that a host without a word for idleness is left alone. */
const QUIET_MS = 200;

/** Resolves when what is shown is painted and nothing else is waiting to be done. */
export async function idle(): Promise<void> {
  await painted();
  // WebKit knows no idle moments.
  await new Promise<void>((done) =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(() => done()) : setTimeout(done, QUIET_MS),
  );
}
