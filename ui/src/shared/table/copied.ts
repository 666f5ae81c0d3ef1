// A table as text for elsewhere: a spreadsheet, a page in Markdown, a paper in LaTeX.

import { NONE } from '../format';
import { type Column, shownText } from './columns';

/** Texts of a table. `numeric` says for each column whether its cells stand at the right. */
export interface Texts {
  head: readonly string[];
  numeric: readonly boolean[];
  rows: readonly (readonly string[])[];
}

export const KINDS = ['tsv', 'markdown', 'latex'] as const;
export type Kind = (typeof KINDS)[number];

/** Cells are one line everywhere. */
const line = (text: string) => text.replace(/\s+/g, ' ').trim();

const MARKDOWN = /[\\|`*_<>[\]]/g;

const LATEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '−': '$-$',
  '±': '$\\pm$',
  '≈': '$\\approx$',
  '×': '$\\times$',
  Δ: '$\\Delta$',
  κ: '$\\kappa$',
};

const inLatex = (text: string) => text.replace(/[\\~^−±≈×Δκ&%$#_{}]/g, (letter) => LATEX[letter] ?? `\\${letter}`);

const tsv = ({ head, rows }: Texts) => [head, ...rows].map((cells) => cells.map(line).join('\t')).join('\n');

function markdown({ head, numeric, rows }: Texts): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => line(cell).replace(MARKDOWN, '\\$&')).join(' | ')} |`;
  const rule = `| ${numeric.map((right) => (right ? '---:' : '---')).join(' | ')} |`;
  return [row(head), rule, ...rows.map(row)].join('\n');
}

/** With the rules of the package `booktabs`. */
function latex({ head, numeric, rows }: Texts): string {
  const row = (cells: readonly string[]) => `${cells.map((cell) => inLatex(line(cell))).join(' & ')} \\\\`;
  return [
    `\\begin{tabular}{${numeric.map((right) => (right ? 'r' : 'l')).join('')}}`,
    '\\toprule',
    row(head),
    '\\midrule',
    ...rows.map(row),
    '\\bottomrule',
    '\\end{tabular}',
  ].join('\n');
}

const WRITERS: Record<Kind, (texts: Texts) => string> = { tsv, markdown, latex };

/** The table as text of that kind, with a newline at the end. */
export const copied = (kind: Kind, texts: Texts): string => `${WRITERS[kind](texts)}\n`;

/** Texts of these rows in these columns. */
export const textsOfRows = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Texts => ({
  head: columns.map(({ header }) => header),
  numeric: columns.map(({ numeric }) => numeric ?? false),
  rows: rows.map((row) => columns.map((column) => shownText(column, row) || NONE)),
});

/** Texts of a table of the page, as they are read: without buttons, pictures and what only screen readers say. */
export function textsOf(table: HTMLTableElement): Texts {
  const texts = (row: HTMLTableRowElement) => [...row.cells].flatMap(spread);
  const all = [...table.rows];
  const heads = all.filter((row) => row.parentElement?.tagName === 'THEAD');
  const body = all.filter((row) => !heads.includes(row));
  const head = heads.at(-1);
  const width = Math.max(0, ...all.map((row) => texts(row).length));
  const even = (cells: string[]) => [...cells, ...Array<string>(width - cells.length).fill('')];
  const numeric = even([]).map((_, at) => body.some((row) => row.cells[at]?.classList.contains('number')));
  return { head: even(head ? texts(head) : []), numeric, rows: body.map((row) => even(texts(row))) };
}

/** A cell's text, and an empty one for each further column that it covers. */
function spread(cell: HTMLTableCellElement): string[] {
  const copy = cell.cloneNode(true) as HTMLElement;
  copy.querySelectorAll('.visually-hidden, svg, button.quiet').forEach((element) => element.remove());
  return [line(copy.textContent ?? ''), ...Array<string>(Math.max(0, cell.colSpan - 1)).fill('')];
}
