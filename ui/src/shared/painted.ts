// For work that may wait until people see what is there already.

/** Resolves after the next frame has been painted. */
export const painted = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
