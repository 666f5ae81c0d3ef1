// Columns that are left out where a table is narrower than all of them.
import { type Column, widthOf } from './columns';

interface Table<Row> {
  rows: () => readonly Row[];
  /** Columns that nobody hid. */
  columns: () => readonly Column<Row>[];
  /** Pixels of the window. */
  window: () => number;
  /** Pixels of the table; 0 while they are not known, and then nothing is folded. */
  width: () => number;
  /** Pixels that are not the columns'. */
  taken: () => number;
}

const sum = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);

export class Fold<Row> {
  /** Columns that were asked for although they do not fit. */
  #kept = $state.raw<readonly string[]>([]);
  readonly #table: Table<Row>;

  constructor(table: Table<Row>) {
    this.#table = table;
  }

  readonly #widths = $derived.by(() => {
    const { rows, columns, window } = this.#table;
    return new Map(columns().map((column) => [column.id, widthOf(column, rows(), window())]));
  });

  /** Ids of the columns that are left out: of those that may be, the last first. */
  readonly folded = $derived.by(() => {
    const columns = this.#table.columns();
    let over = sum([...this.#widths.values()]) + this.#table.taken() - this.#table.width();
    const folded: string[] = [];
    for (let at = columns.length - 1; at >= 0 && over > 0 && this.#table.width() > 0; at -= 1) {
      const column = columns[at];
      if (!column?.folds || this.#kept.includes(column.id)) continue;
      over -= this.#widths.get(column.id) ?? 0;
      folded.push(column.id);
    }
    return folded;
  });

  readonly shown = $derived.by(() => this.#table.columns().filter(({ id }) => !this.folded.includes(id)));

  /** Pixels of each shown column: with all folded that may be, names are cut before the table is scrolled. */
  readonly widths = $derived.by(() => {
    const widths = this.shown.map(({ id }) => this.#widths.get(id) ?? 0);
    const over = this.folded.length > 0 ? Math.max(0, sum(widths) + this.#table.taken() - this.#table.width()) : 0;
    return widths.map((width, at) => {
      const column = this.shown[at];
      return column?.fixed ? Math.max(column.width, width - over) : width;
    });
  });

  /** The columns of a row, as a grid has them. */
  readonly template = $derived.by(() => {
    const taken = this.#table.taken();
    const own = this.shown.map(({ grow }, at) => {
      const width = this.widths[at] ?? 0;
      return grow ? `minmax(${width}px, ${grow}fr)` : `${width}px`;
    });
    return [...(taken > 0 ? [`${taken}px`] : []), ...own].join(' ');
  });

  /** Pixels that a row needs at least. */
  readonly least = $derived.by(() => sum(this.widths) + this.#table.taken());

  /** Takes the choice of the list of columns, in which what is folded counts as hidden; what is hidden by it. */
  choose(ids: readonly string[]): string[] {
    const { folded } = this;
    this.#kept = [...this.#kept, ...folded.filter((one) => !ids.includes(one))];
    return ids.filter((one) => !folded.includes(one));
  }
}
