// What changed in the workspace while the page was there.

/** Rises whenever runs, reports, packs or keys came or went. Whoever shows a list of them elsewhere loads it again. */
export const workspace = $state({ changes: 0 });
