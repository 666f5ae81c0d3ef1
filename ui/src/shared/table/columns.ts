// What a screen says about a column of a `DataTable`, and how rows are found by text.

export interface Column<Row> {
  id: string;
  header: string;
  /** What is sorted by; `null` where there is none, which comes last whichever way the column is sorted. */
  value: (row: Row) => string | number | null;
  /** What is shown; without it the value, and “—” where there is none. */
  text?: (row: Row) => string;
  /** What the cell says on hovering and to screen readers, such as why there is no number. */
  why?: (row: Row) => string | undefined;
  /** What the column means, said by its header. */
  hint?: string;
  /** The metric, as the glossary names it, that its header explains by a mark of its own: pressing the header sorts. */
  metric?: string;
  /** Pixels. A column that grows is at least this wide. */
  width: number;
  /** Share of the room that is left. */
  grow?: number;
  /** Numbers stand at the right and are first sorted downwards. */
  numeric?: boolean;
  /** Drawn by the table's `cell` snippet. */
  drawn?: boolean;
  /** Always shown: the column that names the row. */
  fixed?: boolean;
  /** Left out where the table is narrower than its columns, the last such column first; the list of columns brings it back. */
  folds?: boolean;
}

export interface Sort {
  column: string;
  down: boolean;
}

const plain = (text: string) => text.normalize('NFC').toLocaleLowerCase();

/** Rows that hold every word of a search, in whichever column. */
export function matching<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): readonly Row[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = plain(columns.map((column) => shownText(column, row)).join('\n'));
    return words.every((word) => text.includes(word));
  });
}

/** A cell's text; empty where there is none. */
export function shownText<Row>(column: Column<Row>, row: Row): string {
  return column.text ? column.text(row) : String(column.value(row) ?? '');
}

/** Rows in the order of a column; what has no value comes last either way, and equal rows keep their order. */
export function ordered<Row>(
  rows: readonly Row[],
  { value }: Column<Row>,
  down: boolean,
  collate: (one: string, other: string) => number,
): Row[] {
  const known: { row: Row; value: string | number }[] = [];
  const unknown: Row[] = [];
  for (const row of rows) {
    const found = value(row);
    if (found === null) unknown.push(row);
    else known.push({ row, value: found });
  }
  known.sort(({ value: one }, { value: other }) => {
    const order =
      typeof one === 'number' && typeof other === 'number' ? one - other : collate(String(one), String(other));
    return down ? -order : order;
  });
  return [...known.map(({ row }) => row), ...unknown];
}

/** Share of the window that the names of rows take at most, and pixels that they take at most. */
const MOST = { share: 0.35, pixels: 380 };

/**
 * Pixels that a column takes in a window of that many. The one that names the row is as wide as its names, up to a limit:
 * of names that are cut, those that begin alike no significant difference.
 */
export function widthOf<Row>(column: Column<Row>, rows: readonly Row[], window: number): number {
  if (!column.fixed || column.numeric) return column.width;
  const longest = rows.reduce((most, row) => Math.max(most, extent(shownText(column, row))), 0);
  return Math.max(column.width, Math.min(MOST.pixels, Math.floor(window * MOST.share), Math.ceil(longest) + 18));
}

/** About how wide a text is at the size of a table, in pixels: Korean letters take twice the room. */
function extent(text: string): number {
  let sum = 0;
  for (const letter of text) sum += letter > '\u1100' ? 13 : 6.9;
  return sum;
}

/** The sort as one word for an address: `date`, or `-date` downwards. */
export const sortWord = (sort: Sort | null): string => (sort ? `${sort.down ? '-' : ''}${sort.column}` : '');

export function parseSort(word: string | undefined): Sort | null {
  if (!word) return null;
  return word.startsWith('-') ? { column: word.slice(1), down: true } : { column: word, down: false };
}
