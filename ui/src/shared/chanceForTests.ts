// Draws of chance for properties. The seeds are fixed, so that a run can be repeated; `KOAB_TEST_SEED` begins elsewhere.

/** Draws that depend on their seed alone (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to 1, without 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `end`, without `end`. */
  below(end: number): number {
    return Math.floor(this.share() * end);
  }

  /** One of these. */
  one<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  /** The same in batches of any sizes; some are empty. */
  batches<T>(all: readonly T[]): T[][] {
    const batches: T[][] = [];
    for (let from = 0; from < all.length;) {
      const to = from + this.below(Math.min(9, all.length - from + 1));
      batches.push(all.slice(from, to));
      from = to;
    }
    return batches;
  }

  /** All of these rows in one, each in its own order. */
  interleaved<T>(rows: readonly (readonly T[])[]): T[] {
    const left = rows.map((row) => [...row]).filter((row) => row.length > 0);
    const all: T[] = [];
    while (left.length > 0) {
      const at = this.below(left.length);
      all.push(left[at]!.shift()!);
      if (left[at]!.length === 0) left.splice(at, 1);
    }
    return all;
  }
}

const FIRST_SEED = Number(import.meta.env['KOAB_TEST_SEED'] ?? 1);

/** Checks something for `count` draws, and names the seed of the first that fails. */
export async function forDraws(count: number, check: (chance: Chance) => void | Promise<void>): Promise<void> {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed += 1) {
    try {
      await check(new Chance(seed));
    } catch (error) {
      if (error instanceof Error) error.message = `KOAB_TEST_SEED=${seed}: ${error.message}`;
      throw error;
    }
  }
}
