// The keys of a list of rows, and what a click on a row means.

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
  /** Copies the address of the current row. */
  link: () => void;
}

/** The key's name; letters are told by their place, because with a Korean layout they write others. */
export const keyOf = ({ code, key }: KeyboardEvent): string =>
  code.startsWith('Key') ? code.slice(3).toLowerCase() : key;

/** What each key does, by its name. */
export const stepsOf = ({ at, last, page, move, open, tick, link }: Rows): Record<string, () => void> => ({
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
  y: link,
});

/** Whether a click is for the row. What stands in it has clicks of its own, and marking text is no wish to open the row. */
export const isForRow = ({ target }: MouseEvent): boolean =>
  !(target as HTMLElement).closest('a, button, input, label') && getSelection()?.isCollapsed !== false;
