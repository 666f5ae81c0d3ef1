// With which reports the levels of one can be compared, and which of them is its baseline unless another one is chosen.
import type { ReportRow } from '../../ipc/gen';
import { conditionsOf, isKnown } from './overTime';

const levelsOf = ({ levels }: ReportRow) => levels.map(({ level }) => level).join();

/** Those with the same levels, number of tasks and rules, the newest first; a known pack is no other known one. */
export function baselines(own: ReportRow, all: readonly ReportRow[]): ReportRow[] {
  const fits = (row: ReportRow) =>
    row.id !== own.id &&
    !row.problem &&
    row.scorer === own.scorer &&
    row.tasks === own.tasks &&
    levelsOf(row) === levelsOf(own) &&
    (row.pack === null || own.pack === null || row.pack === own.pack);
  return all.filter(fits).sort((one, other) => other.date.localeCompare(one.date));
}

/** The last one before it of the same model, under conditions that are known and the same. */
export const lastAlike = (own: ReportRow, offered: readonly ReportRow[]): ReportRow | undefined =>
  isKnown(own)
    ? offered.find(
        (row) =>
          row.model === own.model &&
          row.address === own.address &&
          row.date < own.date &&
          row.judge_address === own.judge_address &&
          conditionsOf(row) === conditionsOf(own),
      )
    : undefined;
