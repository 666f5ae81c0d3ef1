// The cells of a table that hold nothing but text. They are most of a table, and scrolling makes hundreds in a second, so
// they are copies of ready elements rather than parts of a component, which would cost ten times as much.
import { NONE } from '../format';
import { type Column, shownText } from './columns';

/** Columns that stand side by side and are drawn in the same way. */
export type Run<Row> =
  | { id: string; drawn: Column<Row> }
  | {
      id: string;
      drawn: null;
      /** The row's cells. */
      cells: (row: Row) => DocumentFragment;
    };

/**
 * The columns as runs: each that a screen draws alone, all others with their neighbours. `pins` has the pixels left of
 * each column that stays in view.
 */
export function runsOf<Row>(columns: readonly Column<Row>[], pins: ReadonlyMap<string, number>): Run<Row>[] {
  const runs: Run<Row>[] = [];
  for (let at = 0; at < columns.length;) {
    const column = columns[at] as Column<Row>;
    const end = column.drawn ? at + 1 : columns.findIndex(({ drawn }, index) => index > at && drawn);
    const run = columns.slice(at, end < 0 ? undefined : end);
    runs.push(
      column.drawn ? { id: column.id, drawn: column } : { id: column.id, drawn: null, cells: textCells(run, pins) },
    );
    at += run.length;
  }
  return runs;
}

function textCells<Row>(
  columns: readonly Column<Row>[],
  pins: ReadonlyMap<string, number>,
): (row: Row) => DocumentFragment {
  const empty = document.createDocumentFragment();
  for (const { id, numeric } of columns) {
    const pin = pins.get(id);
    const cell = document.createElement('div');
    cell.setAttribute('role', 'gridcell');
    cell.dataset['column'] = id;
    // What names the row stays where the rest is scrolled sideways.
    cell.className = [numeric && 'number', pin !== undefined && 'pinned'].filter(Boolean).join(' ');
    if (pin !== undefined) cell.style.setProperty('--pin', `${pin}px`);
    empty.append(cell);
  }
  return (row) => {
    const cells = empty.cloneNode(true) as DocumentFragment;
    let cell = cells.firstElementChild as HTMLElement | null;
    for (const column of columns) {
      if (cell) fill(cell, shownText(column, row), column.why?.(row));
      cell = (cell?.nextElementSibling ?? null) as HTMLElement | null;
    }
    return cells;
  };
}

function fill(cell: HTMLElement, text: string, why: string | undefined): void {
  if (why || text) cell.title = why || text;
  if (text) cell.textContent = text;
  else cell.append(span('muted', NONE));
  if (why) cell.append(span('visually-hidden', why));
}

function span(look: string, text: string): HTMLSpanElement {
  const element = document.createElement('span');
  element.className = look;
  element.textContent = text;
  return element;
}
