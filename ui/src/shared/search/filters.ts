// Filters of a list: which rows pass them, and how they are read from what is typed, such as `model:azure/gpt-4o nova`.
import { fieldNamed, type FieldName, plain } from './names';

/** Chosen values by the parameter that each has in the address; `q` has the free words. */
export type Filters = Readonly<Partial<Record<string, string>>>;

export interface FilterField<Row> {
  /** Its parameter in the address. */
  key: string;
  name: FieldName;
  /** The row's values. Of a first or last day it is the row's date, which begins with `YYYYMMDD`. */
  of: (row: Row) => readonly string[];
  /** A field of first days, or of last ones. */
  sign?: '>=' | '<=';
  /** A value as it is shown, where it differs. */
  said?: (value: string) => string;
}

/** Stands for “not stated” among the values of a filter. */
export const UNKNOWN = '-';

/** Rows that pass every filter but `except` and the free words. */
export function passing<Row>(
  rows: readonly Row[],
  fields: readonly FilterField<Row>[],
  filters: Filters,
  except?: string,
): readonly Row[] {
  const set = fields.flatMap((field) => {
    const value = field.key === except ? undefined : filters[field.key];
    return value ? [{ field, value }] : [];
  });
  return set.length === 0 ? rows : rows.filter((row) => set.every(({ field, value }) => fits(row, field, value)));
}

function fits<Row>(row: Row, { of, sign }: FilterField<Row>, value: string): boolean {
  const own = of(row);
  if (!sign) return own.includes(value);
  const [day, limit] = [(own[0] ?? '').slice(0, 8), value.replaceAll('-', '')];
  return sign === '>=' ? day >= limit : day <= limit;
}

export interface FilterValue {
  value: string;
  text: string;
  /** Rows that have it. */
  rows: number;
}

/** Values of these rows, each once, in the order of their texts; what is not stated comes last. */
export function valuesOf<Row>(
  rows: readonly Row[],
  { of, said }: FilterField<Row>,
  collate: (one: string, other: string) => number,
): FilterValue[] {
  const counts = new Map<string, number>();
  for (const value of rows.flatMap((row) => of(row))) counts.set(value, (counts.get(value) ?? 0) + 1);
  const values = [...counts].map(([value, count]) => ({ value, text: said?.(value) ?? value, rows: count }));
  const last = ({ value }: FilterValue) => Number(value === UNKNOWN);
  return values.sort((one, other) => last(one) - last(other) || collate(one.text, other.text));
}

/** A part of a typed text: a word, or a filter that is written out. */
export interface Token<Row> {
  text: string;
  start: number;
  end: number;
  /** Fields that it sets; none where it is a word. A day alone is both the first and the last one. */
  fields: readonly FilterField<Row>[];
  /** What is behind the sign, without quotes. */
  typed: string;
}

const PART = /(?:"[^"]*"?|[^\s"])+/g;
const FILTER = /^(\p{L}+)(>=|<=|≥|≤|:|=)(.*)$/su;
const SIGNS: Record<string, '>=' | '<='> = { '>=': '>=', '≥': '>=', '<=': '<=', '≤': '<=' };

/** The parts of a text between spaces; quotes hold a value with spaces together. */
export function tokensOf<Row>(text: string, fields: readonly FilterField<Row>[]): Token<Row>[] {
  return [...text.matchAll(PART)].map((match) => {
    const [part] = match;
    const [, word = '', sign = '', behind = ''] = FILTER.exec(part.normalize('NFC')) ?? [];
    const place = { text: part, start: match.index, end: match.index + part.length };
    return { ...place, fields: fieldsOf(word, sign, fields), typed: behind.replaceAll('"', '') };
  });
}

function fieldsOf<Row>(word: string, sign: string, fields: readonly FilterField<Row>[]): FilterField<Row>[] {
  const name = fieldNamed(word);
  // Parameters of addresses are names as well: `from:2025-12-01`.
  const named = fields.filter((field) => field.name === name || field.key === plain(word));
  const asked = SIGNS[sign];
  return named.filter((field) => asked === undefined || field.sign === asked);
}

/** The free words of a text, with one space between them. */
export const wordsIn = <Row>(tokens: readonly Token<Row>[]): string =>
  tokens
    .filter(({ fields }) => fields.length === 0)
    .map(({ text }) => text)
    .join(' ');

/** A day as fields of dates have it, `2025-12-19`; `null` where the text is no day of the calendar. */
export function dayOf(text: string): string | null {
  const parts = /^(\d{4})(\d\d)(\d\d)$|^(\d{4})[-./](\d\d?)[-./](\d\d?)$/.exec(text)?.slice(1).filter(Boolean);
  const [year = 0, month = 0, day = 0] = (parts ?? []).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = parts && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay ? date.toISOString().slice(0, 10) : null;
}

/** The values whose text or code contains what is typed. */
export const matchingValues = (values: readonly FilterValue[], typed: string): FilterValue[] =>
  values.filter(({ value, text }) => [value, text].some((one) => plain(one).includes(plain(typed))));

/** The value that a typed filter means: the one written in full, or the only one that contains it where `all` counts. */
function meant(values: readonly FilterValue[], typed: string, all: boolean): string | undefined {
  if (typed === '') return undefined;
  const exact = values.find(({ value, text }) => [value, text].some((one) => plain(one) === plain(typed)));
  const partly = exact || !all ? [] : matchingValues(values, typed);
  return exact?.value ?? (partly.length === 1 ? partly[0]?.value : undefined);
}

/**
 * Takes the finished filters out of a typed text: those with a space behind them, or with `all` every one. What means no value
 * stays in the text.
 */
export function taken<Row>(
  text: string,
  fields: readonly FilterField<Row>[],
  values: (field: FilterField<Row>) => readonly FilterValue[],
  all: boolean,
): { change: Record<string, string>; rest: string } {
  const change: Record<string, string> = {};
  let rest = text;
  for (const { fields: own, typed, start, end } of tokensOf(text, fields).reverse()) {
    const [field] = own;
    if (!field || (!all && end === text.length)) continue;
    const value = field.sign ? dayOf(typed) : meant(values(field), typed, all);
    if (!value) continue;
    // The last one counts, as of two choices made one after the other.
    for (const { key } of own) change[key] ??= value;
    rest = `${rest.slice(0, start).trimEnd()} ${rest.slice(end).trimStart()}`.trimStart();
  }
  return { change, rest };
}
