// Which report another one is held against, if nobody says: the last one of the same model, else of the same connection, that the
// engine compares it with.
import type { MatrixView, ReportRow } from '../../ipc/gen';
import { markOf } from './pairCells';

/** So many are asked about at once, all of which the engine answers with a letter each. */
const MOST = 40;

/** What stands before a model's own name: the connection. */
const connectionOf = ({ model, address }: ReportRow): string =>
  `${address ?? ''} ${model.slice(0, Math.max(0, model.indexOf('/')))}`;

export const isOfModel = (one: ReportRow, own: ReportRow): boolean =>
  one.model === own.model && (one.address ?? '') === (own.address ?? '');

/** Reports that could be the baseline of one, the likeliest first: of its model before those of its connection, the last before it first. */
export function candidates(rows: readonly ReportRow[], own: ReportRow): ReportRow[] {
  const after = (one: ReportRow) => (one.date > own.date ? 1 : 0);
  const other = (one: ReportRow) => (isOfModel(one, own) ? 0 : 1);
  return rows
    .filter(
      (one) =>
        one.id !== own.id &&
        one.problem === null &&
        one.scorer === own.scorer &&
        // The same run by other judges is no other run.
        (one.run === null || one.run !== own.run) &&
        (isOfModel(one, own) || (own.model.includes('/') && connectionOf(one) === connectionOf(own))),
    )
    .sort(
      (one, two) =>
        other(one) - other(two) ||
        after(one) - after(two) ||
        two.date.localeCompare(one.date) ||
        one.id.localeCompare(two.id),
    )
    .slice(0, MOST);
}

/** The first candidate that the engine compares with the report. */
export function comparable(
  wanted: readonly ReportRow[],
  own: string,
  { reports, cells }: MatrixView,
): ReportRow | null {
  const place = new Map(reports.map(({ id }, at) => [id, at]));
  const mine = place.get(own);
  if (mine === undefined) return null;
  const isComparable = ({ id }: ReportRow) => {
    const theirs = place.get(id);
    if (theirs === undefined) return false;
    const { mark } = markOf(cells, mine, theirs, reports.length);
    return mark !== 'refused' && mark !== 'none';
  };
  return wanted.find(isComparable) ?? null;
}
