// Columns that are left out where a table is narrower than all of them.
import { type Column, widthOf } from './columns';
import type { Layout } from './layout.svelte';

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
  /** Widths and columns that somebody chose. */
  layout: Layout;
}

/** Share of the table that columns which stay in view take at most: the rest could not be seen behind them. */
const MOST_PINNED = 0.6;

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
    const chosen = this.#table.layout.widths;
    return new Map(columns().map((column) => [column.id, chosen[column.id] ?? widthOf(column, rows(), window())]));
  });

  /** Ids of the columns that are left out: of those that may be, the last first. */
  readonly folded = $derived.by(() => {
    const columns = this.#table.columns();
    let over = sum([...this.#widths.values()]) + this.#table.taken() - this.#table.width();
    const folded: string[] = [];
    for (let at = columns.length - 1; at >= 0 && over > 0 && this.#table.width() > 0; at -= 1) {
      const column = columns[at];
      if (!column?.folds || this.#kept.includes(column.id) || this.#isKeptInView(column)) continue;
      over -= this.#widths.get(column.id) ?? 0;
      folded.push(column.id);
    }
    return folded;
  });

  /** Columns that are shown; those that stay in view come first. */
  readonly shown = $derived.by(() => {
    const shown = this.#table.columns().filter(({ id }) => !this.folded.includes(id));
    const pinned = shown.filter((column) => this.#isKeptInView(column));
    return [...pinned, ...shown.filter((column) => !this.#isKeptInView(column))];
  });

  /** Pixels left of each column that stays in view, by id. */
  readonly pins = $derived.by(() => {
    const pins = new Map<string, number>();
    let left = this.#table.taken();
    for (const [at, column] of this.shown.entries()) {
      const width = this.widths[at] ?? 0;
      const fits = pins.size === 0 || this.#table.width() === 0 || left + width <= this.#table.width() * MOST_PINNED;
      if (!this.#isKeptInView(column) || !fits) break;
      pins.set(column.id, left);
      left += width;
    }
    return pins;
  });

  /** Pixels of each shown column: with all folded that may be, names are cut before the table is scrolled. */
  readonly widths = $derived.by(() => {
    const widths = this.shown.map(({ id }) => this.#widths.get(id) ?? 0);
    const over = this.folded.length > 0 ? Math.max(0, sum(widths) + this.#table.taken() - this.#table.width()) : 0;
    return widths.map((width, at) => {
      const column = this.shown[at];
      const isChosen = column && column.id in this.#table.layout.widths;
      return column?.fixed && !isChosen ? Math.max(column.width, width - over) : width;
    });
  });

  /** The columns of a row, as a grid has them. */
  readonly template = $derived.by(() => {
    const taken = this.#table.taken();
    const own = this.shown.map(({ id, grow }, at) => {
      const width = this.widths[at] ?? 0;
      return grow && !(id in this.#table.layout.widths) ? `minmax(${width}px, ${grow}fr)` : `${width}px`;
    });
    return [...(taken > 0 ? [`${taken}px`] : []), ...own].join(' ');
  });

  /** Pixels that a row needs at least. */
  readonly least = $derived.by(() => sum(this.widths) + this.#table.taken());

  #isKeptInView({ id, fixed }: Column<Row>): boolean {
    return (fixed ?? false) || this.#table.layout.pinned.includes(id);
  }

  /** Takes the choice of the list of columns, in which what is folded counts as hidden; what is hidden by it. */
  choose(ids: readonly string[]): string[] {
    const { folded } = this;
    this.#kept = [...this.#kept, ...folded.filter((one) => !ids.includes(one))];
    return ids.filter((one) => !folded.includes(one));
  }
}
