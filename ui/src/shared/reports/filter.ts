// What the filters of a list of reports mean.
import type { ReportRow } from '../../ipc/gen';
import type { Query } from '../route.svelte';

export const FILTERS = ['q', 'model', 'pack', 'protocol', 'grade', 'set', 'tag', 'from', 'to'] as const;
export type Filter = Partial<Record<(typeof FILTERS)[number], string>>;

export function filterOf(query: Query): Filter {
  return Object.fromEntries(FILTERS.flatMap((key) => (query[key] ? [[key, query[key]]] : [])));
}

/** The reports that an address names; their ids hold no commas. */
export const reportsOf = (query: Query): string[] => (query['reports'] ?? '').split(',').filter(Boolean);

/** `2025-12-19` of a date field as the run's date begins: `20251219`. */
const day = (text: string) => text.replaceAll('-', '');

/** Whether a report is one of the reference set, as a filter says it. */
export const setOf = ({ reference }: ReportRow) => (reference ? 'reference' : 'own');

/** Rows that pass every filter but the text, which the table itself looks for. */
export function passing(
  rows: readonly ReportRow[],
  { model, pack, protocol, grade, set, tag, from, to }: Filter,
): ReportRow[] {
  return rows.filter(
    (row) =>
      (!model || row.model === model) &&
      (!pack || (row.pack ?? '') === (pack === UNKNOWN ? '' : pack)) &&
      (!protocol || (row.protocol ?? UNKNOWN) === protocol) &&
      (!grade || (row.comparability ?? UNKNOWN) === grade) &&
      (!set || setOf(row) === set) &&
      (!tag || row.tags.includes(tag)) &&
      (!from || row.date.slice(0, 8) >= day(from)) &&
      (!to || row.date.slice(0, 8) <= day(to)),
  );
}

/** Stands for “not stated” among the choices of a filter. */
export const UNKNOWN = '-';

type Values = (row: ReportRow) => readonly (string | null)[];

/** The values that a filter can choose from, sorted, each once. */
export function choices(rows: readonly ReportRow[], of: Values): string[] {
  const found = new Set(rows.flatMap((row) => of(row).map((value) => value ?? UNKNOWN)));
  return [...found].sort(new Intl.Collator().compare);
}

/** Whether a filter can choose a value. */
export function hasChoice(rows: readonly ReportRow[], of: Values, chosen: string): boolean {
  return rows.some((row) => of(row).some((value) => (value ?? UNKNOWN) === chosen));
}
