// A JSON value as the rows of a folding tree: which rows there are, and where a text is found. No drawing here.
//
// Every row has the same height, so that only those in view are drawn however many there are. A text that does not fit
// its row folds like a container and opens into lines of its own.

import { digitsOf } from './exact';

export type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export interface Row {
  /** JSON pointer of the value; lines of a text add `#` and their number. */
  path: string;
  depth: number;
  /** Key or index under the parent; null for the root and for lines. */
  name: string | null;
  /** `line` is one line of an opened text. */
  kind: Kind | 'line';
  /** What the row shows of a value that is no container, quoted as JSON; a line as it is. */
  text: string;
  /** Entries of a container, characters of a text. */
  size: number;
  folds: boolean;
  open: boolean;
  /** 1-based place among its siblings, and how many there are. */
  place: number;
  siblings: number;
}

/** Characters of a folded text that are looked at; a row shows fewer. */
const HEAD = 400;

export const childPath = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The paths of everything around a value, outermost first. */
export function around(path: string): string[] {
  const found = [''];
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) found.push(path.slice(0, at));
  return path === '' ? [] : found;
}

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (digitsOf(value) !== null) return 'number';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object';
}

/** A value that is no container, as a text; an integer with all its digits. */
const plainText = (value: unknown): string => digitsOf(value) ?? String(value ?? null);

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, i) => [String(i), item]);
  return Object.entries(value as object);
}

/** Columns of a monospaced line: Hangul and other wide characters take two. */
function columnsOf(character: number): number {
  return character >= 0x1100 && !(character >= 0x2000 && character < 0x2e80) ? 2 : 1;
}

function fits(text: string, columns: number): boolean {
  if (text.length > columns) return false;
  let used = 0;
  for (let i = 0; i < text.length; i++) used += columnsOf(text.charCodeAt(i));
  return used <= columns;
}

/** A text in lines of at most so many columns; a line break ends a line, and nothing is left out. */
export function linesOf(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let from = 0;
    let used = 0;
    for (let i = 0; i < paragraph.length; i++) {
      const code = paragraph.charCodeAt(i);
      // The second half of a pair stays with the first.
      const width = code >= 0xdc00 && code <= 0xdfff ? 0 : columnsOf(code);
      if (used + width > columns && width > 0) {
        lines.push(paragraph.slice(from, i));
        from = i;
        used = 0;
      }
      used += width;
    }
    lines.push(paragraph.slice(from));
  }
  return lines;
}

/** The rows of a value: those of open containers and texts, in document order. `columns` is the width of the tree. */
export function rowsOf(value: unknown, open: ReadonlySet<string>, columns: number): Row[] {
  const rows: Row[] = [];

  function add(
    path: string,
    name: string | null,
    value: unknown,
    depth: number,
    place: number,
    siblings: number,
  ): void {
    const kind = kindOf(value);
    const room = Math.max(8, columns - depth * 2 - (name === null ? 0 : name.length + 2) - 2);
    const row: Row = { path, depth, name, kind, text: '', size: 0, folds: false, open: false, place, siblings };
    rows.push(row);
    if (kind === 'object' || kind === 'array') {
      const entries = entriesOf(value);
      row.size = entries.length;
      row.folds = entries.length > 0;
      row.open = row.folds && open.has(path);
      if (row.open) {
        entries.forEach(([key, inner], i) => add(childPath(path, key), key, inner, depth + 1, i + 1, entries.length));
      }
    } else if (kind === 'string') {
      const text = value as string;
      row.size = text.length;
      row.folds = text.includes('\n') || !fits(text, room - 2);
      row.open = row.folds && open.has(path);
      row.text = JSON.stringify(text.length > HEAD ? text.slice(0, HEAD) : text);
      if (row.open) {
        const lines = linesOf(text, Math.max(16, columns - (depth + 1) * 2 - 2));
        lines.forEach((line, i) =>
          rows.push({
            ...row,
            path: `${path}#${i}`,
            depth: depth + 1,
            name: null,
            kind: 'line',
            text: line,
            folds: false,
            open: false,
            place: i + 1,
            siblings: lines.length,
          }),
        );
      }
    } else row.text = plainText(value);
  }

  add('', null, value, 0, 1, 1);
  return rows;
}

/** Everything that folds and lies at most so deep: what is open at first. */
export function openTo(value: unknown, depth: number): Set<string> {
  const open = new Set<string>();
  function visit(path: string, value: unknown, left: number): void {
    const kind = kindOf(value);
    if (left <= 0 || (kind !== 'object' && kind !== 'array')) return;
    open.add(path);
    for (const [key, inner] of entriesOf(value)) visit(childPath(path, key), inner, left - 1);
  }
  visit('', value, depth);
  return open;
}

/** More matches than this are not counted. */
export const MOST_MATCHES = 10_000;

/** Paths of the values whose key or own text holds the words looked for, in document order, without regard to case. */
export function find(value: unknown, words: string): string[] {
  const wanted = words.trim().normalize('NFC').toLocaleLowerCase();
  const found: string[] = [];
  if (wanted === '') return found;
  const holds = (text: string) => text.toLocaleLowerCase().includes(wanted);
  function visit(path: string, name: string | null, value: unknown): void {
    if (found.length >= MOST_MATCHES) return;
    const kind = kindOf(value);
    const inner = kind === 'object' || kind === 'array';
    // Indexes are places, not words.
    if ((name !== null && holds(name)) || (!inner && holds(plainText(value)))) found.push(path);
    if (kind === 'array') (value as unknown[]).forEach((item, i) => visit(childPath(path, i), null, item));
    if (kind === 'object') for (const [key, item] of entriesOf(value)) visit(childPath(path, key), key, item);
  }
  visit('', null, value);
  return found;
}

/** The value at a path that `rowsOf` gave. */
export function valueAt(value: unknown, path: string): unknown {
  const steps = path.replace(/#\d+$/, '').split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  }, value);
}
