// Comparisons of values that no longer change. `expect` compares what a page shows: it retries.

/** As much of a value as a line holds. */
const LONGEST = 1_500;
const told = (text) => (text?.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/**
 * Fails unless both are the same as JSON.
 * @param {unknown} found
 * @param {unknown} wanted
 */
export function equal(found, wanted, what = '') {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what && `${what}: `}found ${told(a)}, wanted ${told(b)}`);
}

/**
 * Fails unless the condition holds.
 * @param {unknown} condition
 * @param {string} what
 * @returns {asserts condition}
 */
export function holds(condition, what) {
  if (!condition) throw new Error(what);
}
