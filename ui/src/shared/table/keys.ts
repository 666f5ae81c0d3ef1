// The keys of a list of rows.

interface Rows {
  /** Index of the current row, -1 where there is none, and of the last one. */
  at: number;
  last: number;
  /** Rows that fit on the screen. */
  page: number;
  /** Makes a row the current one; an index that is too small or too large means the first or last row. */
  move: (to: number) => void;
  open: (index: number) => void;
  tick: () => void;
}

/** What each key does, by its name. */
export const stepsOf = ({ at, last, page, move, open, tick }: Rows): Record<string, () => void> => ({
  ArrowDown: () => move(at + 1),
  j: () => move(at + 1),
  ArrowUp: () => move(at - 1),
  k: () => move(at - 1),
  PageDown: () => move(at + page),
  PageUp: () => move(at - page),
  Home: () => move(0),
  End: () => move(last),
  Enter: () => open(at),
  ' ': tick,
});
