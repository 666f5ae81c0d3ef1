// What the filters of the list of runs mean. The address of the form of a new run has a `model`, so the list's is another one.
import type { RunSummary } from '../../../ipc/gen';
import { locale } from '../../../shared/locale.svelte';
import type { Query } from '../../../shared/route.svelte';
import { type FilterField, type Filters, UNKNOWN } from '../../../shared/search/filters';
import { standingOf } from './history';

export const RUN_FILTERS: readonly FilterField<RunSummary>[] = [
  { key: 'of', name: 'model', of: ({ model }) => [model] },
  { key: 'state', name: 'state', of: (run) => [standingOf(run)] },
  { key: 'pack', name: 'pack', of: ({ pack }) => [pack ?? UNKNOWN] },
  { key: 'protocol', name: 'protocol', of: ({ protocol }) => [protocol ?? UNKNOWN] },
  { key: 'tag', name: 'tag', of: ({ tags }) => tags },
  { key: 'from', name: 'date', sign: '>=', of: ({ date }) => [date] },
  { key: 'to', name: 'date', sign: '<=', of: ({ date }) => [date] },
];

/** The same with their values in the language shown. */
export function runFilters(): FilterField<RunSummary>[] {
  const { history, form } = locale.t.runs;
  const words: Record<string, Record<string, string>> = {
    state: history.standing,
    protocol: { ...form.protocols, [UNKNOWN]: history.unknownProtocol },
    pack: { [UNKNOWN]: locale.t.reports.library.unknown },
  };
  return RUN_FILTERS.map((field) => ({ ...field, said: (value) => words[field.key]?.[value] ?? value }));
}

const LISTED = ['q', 'sort', ...RUN_FILTERS.map(({ key }) => key)];

/** What an address says of the list: filters, free words and order. */
export const listedIn = (query: Query): Filters & Query =>
  Object.fromEntries(LISTED.flatMap((key) => (query[key] ? [[key, query[key]]] : [])));
