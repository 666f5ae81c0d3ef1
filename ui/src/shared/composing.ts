// Input methods: a syllable of Hangul is composed over several keys, and Enter or Esc may belong to it.

/** Whether a key belongs to a syllable that is still being composed. WebKit says 229 instead of `isComposing`. */
export function composing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** Keeps a dialog open when Esc only ends a composition. */
export function keepComposing(event: KeyboardEvent): void {
  if (composing(event)) event.preventDefault();
}
