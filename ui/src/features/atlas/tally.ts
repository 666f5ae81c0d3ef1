// Attempts counted by cause and column. All of it is in memory: choosing a filter asks the engine nothing.
import type { AtlasAttempt, AtlasBy, AtlasCauseId, AtlasView, CauseOwner, Level } from '../../ipc/gen';

/** A row of the map: a cause, or what no rule has a cause for. */
export type Row = AtlasCauseId | 'unsorted';

export interface Filter {
  level: Level | null;
  /** Position of the report. */
  source: number | null;
  owner: CauseOwner | null;
  cause: Row | null;
  /** Every cause of an attempt counts, not only its first. */
  any: boolean;
}

export interface Map {
  columns: { id: string; label: string; lossy: number }[];
  rows: { cause: Row; cells: number[]; sum: number }[];
  lossy: number;
}

/** The rows that an attempt counts in, once each. */
export function rowsOf(attempt: AtlasAttempt, any: boolean): Row[] {
  const { findings, state } = attempt.sorted;
  if (state !== 'lossy') return [];
  const causes = [...new Set(findings.map(({ cause }) => cause))];
  if (causes.length === 0) return ['unsorted'];
  return any ? causes : causes.slice(0, 1);
}

/** Attempts that lost points and fit all but, if asked for, the cause. */
export function fitting(view: AtlasView, filter: Filter, { ofCause = true } = {}): AtlasAttempt[] {
  const owners = new globalThis.Map(view.causes.map(({ id, owner }) => [id as Row, owner]));
  return view.attempts.filter((attempt) => {
    const rows = rowsOf(attempt, filter.any);
    return (
      rows.length > 0 &&
      (filter.level === null || attempt.level === filter.level) &&
      (filter.source === null || attempt.source === filter.source) &&
      (filter.owner === null || rows.some((row) => owners.get(row) === filter.owner)) &&
      (!ofCause || filter.cause === null || rows.includes(filter.cause))
    );
  });
}

/** What a report is called beside others: its model, or its id where two are of one model. */
export function labelOf(view: AtlasView, source: number): string {
  const one = view.sources[source];
  if (!one) return '';
  const twice = view.sources.filter(({ model }) => model === one.model).length > 1;
  return twice || !one.model ? one.id : one.model;
}

/** The map of a view: every cause that occurs, by column. */
export function mapOf(view: AtlasView, by: AtlasBy, filter: Filter): Map {
  const levels = [...new Set(view.attempts.map(({ level }) => level))].sort();
  const columns =
    by === 'level'
      ? levels.map((level) => ({ id: level as string, label: level as string, lossy: 0 }))
      : view.sources.map((_, index) => ({ id: String(index), label: labelOf(view, index), lossy: 0 }));
  const order: Row[] = [...view.causes.map(({ id }) => id as Row), 'unsorted'];
  const owners = new globalThis.Map(view.causes.map(({ id, owner }) => [id as Row, owner]));
  const cells = new globalThis.Map<Row, number[]>();
  let lossy = 0;
  for (const attempt of fitting(view, filter, { ofCause: false })) {
    const place = columns.findIndex(({ id }) => id === (by === 'level' ? attempt.level : String(attempt.source)));
    const column = columns[place];
    if (!column) continue;
    column.lossy += 1;
    lossy += 1;
    for (const row of rowsOf(attempt, filter.any)) {
      if (filter.owner !== null && owners.get(row) !== filter.owner) continue;
      const counted = cells.get(row) ?? columns.map(() => 0);
      counted[place] = (counted[place] ?? 0) + 1;
      cells.set(row, counted);
    }
  }
  const rows = order.flatMap((cause) => {
    const counted = cells.get(cause);
    return counted ? [{ cause, cells: counted, sum: counted.reduce((all, one) => all + one, 0) }] : [];
  });
  return { columns, rows, lossy };
}

export interface Summary {
  attempts: number;
  lossy: number;
  capped: number;
  clean: number;
  unsorted: number;
  lost: number;
  explained: number;
}

/** Counts of the attempts of a level and a report, where these are chosen. */
export function summaryOf(view: AtlasView, { level, source }: Pick<Filter, 'level' | 'source'>): Summary {
  const sum: Summary = { attempts: 0, lossy: 0, capped: 0, clean: 0, unsorted: 0, lost: 0, explained: 0 };
  for (const { sorted, ...attempt } of view.attempts) {
    if ((level !== null && attempt.level !== level) || (source !== null && attempt.source !== source)) continue;
    sum.attempts += 1;
    sum[sorted.state] += 1;
    if (sorted.state === 'lossy' && sorted.findings.length === 0) sum.unsorted += 1;
    sum.lost += sorted.lost;
    sum.explained += sorted.explained;
  }
  return sum;
}
