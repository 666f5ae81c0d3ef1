// What was on the screen, so that a reload of the page shows it again. Lasts as long as the window.
const STORED = 'koab.shown';

/** A run of this session by the id it was started under, or an earlier run by its id in the list. */
export type Remembered = { live: string } | { past: string };

export function remember(what: Remembered | null): void {
  if (what) sessionStorage.setItem(STORED, JSON.stringify(what));
  else sessionStorage.removeItem(STORED);
}

export function recall(): Remembered | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    if ('live' in value && typeof value.live === 'string') return { live: value.live };
    if ('past' in value && typeof value.past === 'string') return { past: value.past };
    return null;
  } catch {
    return null;
  }
}
