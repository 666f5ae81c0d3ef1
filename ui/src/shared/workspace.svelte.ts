// What came into the workspace while a screen was open, beside what the screen did itself.

/** Rises whenever runs, reports or packs were added, such as by an import. Screens with a list of them load it again. */
export const workspace = $state({ changes: 0 });
