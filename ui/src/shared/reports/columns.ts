// What every list of reports says of them, a column each; whoever shows one says how wide it is there.
import type { ReportRow } from '../../ipc/gen';
import { runDate, score } from '../format';
import { locale } from '../locale.svelte';
import type { Column } from '../table/columns';
import { compositeName, counted } from './composite';
import { judgesText } from './judges';

type Said = Omit<Column<ReportRow>, 'width'>;

/** In the language shown now. One reading of the composite score for the whole list, so that its numbers mean the same. */
export function reportColumns(rows: readonly ReportRow[]) {
  const t = locale.t.reports;
  const { library } = t;
  const { variant, reading } = rows[0] ?? { variant: '', reading: '' };
  return {
    model: { id: 'model', header: locale.t.words.model, value: ({ model }) => model, grow: 3, fixed: true },
    date: {
      id: 'date',
      header: library.date,
      value: ({ date }) => date || null,
      text: ({ date }) => runDate(date),
    },
    composite: {
      id: 'composite',
      header: compositeName(variant),
      hint: counted({ variant, reading }),
      metric: variant || 'composite',
      value: ({ composite }) => composite,
      text: ({ composite }) => (composite === null ? '' : score(composite)),
      numeric: true,
    },
    scorer: {
      id: 'scorer',
      header: locale.t.terms.scorer,
      value: ({ scorer }) => locale.t.runs.form.protocols[scorer],
    },
    judges: {
      id: 'judges',
      header: locale.t.words.judges,
      value: ({ judges }) => judges?.join(', ') || null,
      text: ({ judges, judge_address }) => judgesText(judges, judge_address),
      why: ({ judge_address }) => judge_address,
    },
    pack: { id: 'pack', header: locale.t.words.pack, value: ({ pack }) => pack },
    tags: { id: 'tags', header: locale.t.words.tags, value: ({ tags }) => tags.join(', ') || null, grow: 1 },
    note: { id: 'note', header: locale.t.words.note, value: ({ note }) => note || null },
  } satisfies Record<string, Said>;
}
