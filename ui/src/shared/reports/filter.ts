// What the filters of a list of reports mean.
import type { ReportRow } from '../../ipc/gen';
import type { Query } from '../route.svelte';
import { type FilterField, type Filters, passing as passingOf, UNKNOWN } from '../search/filters';

/** The comparability of published reports among the values of its filter; their badge says the same. */
export const PUBLISHED = 'published';
/** A report that no judge scored, among the values of the filter of judges. */
export const NO_JUDGES = 'none';

const stated = (value: string | null): string[] => [value ?? UNKNOWN];

export const REPORT_FILTERS: readonly FilterField<ReportRow>[] = [
  { key: 'model', name: 'model', of: ({ model }) => [model] },
  { key: 'pack', name: 'pack', of: ({ pack }) => stated(pack) },
  {
    key: 'judge',
    name: 'judge',
    of: ({ judges }) => (judges === null ? [UNKNOWN] : judges.length > 0 ? judges : [NO_JUDGES]),
  },
  { key: 'protocol', name: 'protocol', of: ({ protocol }) => stated(protocol) },
  {
    key: 'grade',
    name: 'comparability',
    of: ({ comparability, reference }) => (reference ? [PUBLISHED] : stated(comparability)),
  },
  { key: 'set', name: 'set', of: ({ reference }) => [reference ? 'reference' : 'own'] },
  { key: 'tag', name: 'tag', of: ({ tags }) => tags },
  { key: 'from', name: 'date', sign: '>=', of: ({ date }) => [date] },
  { key: 'to', name: 'date', sign: '<=', of: ({ date }) => [date] },
];

/** The filters and free words that an address has. */
export const filterOf = (query: Query): Filters =>
  Object.fromEntries(
    ['q', ...REPORT_FILTERS.map(({ key }) => key)].flatMap((key) => (query[key] ? [[key, query[key]]] : [])),
  );

/** The reports that an address names; their ids hold no commas. */
export const reportsOf = (query: Query): string[] => (query['reports'] ?? '').split(',').filter(Boolean);

/** Rows that pass every filter but the free words, which the table itself looks for. */
export const passing = (rows: readonly ReportRow[], filters: Filters): readonly ReportRow[] =>
  passingOf(rows, REPORT_FILTERS, filters);
