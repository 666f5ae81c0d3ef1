// Integers that a JavaScript number cannot hold: the engine sends them as `{"$integer": "<digits>"}`
// (`koab-api/src/transcript/exact.rs`), and they are shown and copied with every digit.

/** The digits of such an integer; `null` for any other value. */
export function digitsOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('$integer' in value)) return null;
  const { $integer: digits } = value;
  return typeof digits === 'string' && Object.keys(value).length === 1 ? digits : null;
}

// Within a JSON text the quotes of a string's content are escaped, so nothing else looks like this.
const TAGGED = /\{\s*"\$integer":\s*"(-?\d+)"\s*\}/g;

/** JSON text with the integers as they were. */
export function jsonText(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(TAGGED, '$1');
}
