// The current row of a table: the one that the keys act on, by id, so that it stays the same when rows are sorted or narrowed.
import { watch } from '../watch.svelte';

interface Rows<Row> {
  /** Rows in the order shown. */
  rows: () => readonly Row[];
  rowId: (row: Row) => string;
  /** Brings a row into view. */
  show: (index: number) => void;
  /** The row that the address names, where rows have addresses. */
  named: () => string | undefined;
  /** The row of the address is there and current now. */
  onNamed: () => void;
}

/** Call it while a component is made. */
export class Cursor<Row> {
  id = $state<string | null>(null);
  readonly #table: Rows<Row>;
  /** The row that an address named last. */
  #shown: string | null = null;
  /** -1 without a current row. */
  readonly index = $derived.by(() => this.#indexOf(this.id));

  constructor(table: Rows<Row>) {
    this.#table = table;
    // It may come later than the table, and another address may name another one.
    watch(
      () => {
        const named = table.named();
        return named !== undefined && this.#indexOf(named) >= 0 ? named : null;
      },
      (named) => {
        // One that a filter hid and shows again was shown before.
        if (named === null || named === this.#shown) return;
        this.#shown = named;
        this.move(this.#indexOf(named));
        table.onNamed();
      },
      null,
    );
  }

  /** Classes of a row: that of the address is marked without the focus until another one is current. */
  look(row: string): string | false {
    return row === this.id && (row === this.#table.named() ? 'current named' : 'current');
  }

  /** To the row at an index, or to the first or last one. */
  move(to: number): void {
    const rows = this.#table.rows();
    const index = Math.min(Math.max(to, 0), rows.length - 1);
    const row = rows[index];
    if (!row) return;
    this.id = this.#table.rowId(row);
    this.#table.show(index);
  }

  #indexOf(id: string | null): number {
    return id === null ? -1 : this.#table.rows().findIndex((row) => this.#table.rowId(row) === id);
  }
}
