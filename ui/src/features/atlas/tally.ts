// Attempts and lost points counted by cause and column. All of it is in memory: choosing a filter asks the engine nothing.
import type { AtlasAttempt, AtlasBy, AtlasCauseId, AtlasView, CauseOwner, Level } from '../../ipc/gen';

/** A row of the map: a cause, or what no rule has a cause for. */
export type Row = AtlasCauseId | 'unsorted';

/**
 * What a row counts: attempts with this first cause, attempts that have it among their causes, or the lost points that it is the first
 * cause to explain.
 */
export const COUNTINGS = ['first', 'any', 'points'] as const;
export type Counting = (typeof COUNTINGS)[number];

export interface Filter {
  level: Level | null;
  /** Position of the report. */
  source: number | null;
  owner: CauseOwner | null;
  cause: Row | null;
  counting: Counting;
}

export interface Map {
  /** `whole`: attempts that lost points or, of points, what they lost. */
  columns: { id: string; label: string; whole: number }[];
  rows: { cause: Row; cells: number[]; sum: number }[];
  whole: number;
}

/** Lost points of an attempt: those of a metric are of the first cause that explains the metric. */
export function pointsOf({ sorted: { state, losses, findings } }: AtlasAttempt): globalThis.Map<Row, number> {
  const points = new globalThis.Map<Row, number>();
  if (state !== 'lossy') return points;
  for (const { metric, lost } of losses) {
    if (lost <= 0) continue;
    const cause: Row = findings.find(({ metrics }) => metrics.includes(metric))?.cause ?? 'unsorted';
    points.set(cause, (points.get(cause) ?? 0) + lost);
  }
  return points;
}

/** What an attempt adds to each of its rows. */
function shares(attempt: AtlasAttempt, counting: Counting): globalThis.Map<Row, number> {
  if (counting === 'points') return pointsOf(attempt);
  const { findings, state } = attempt.sorted;
  if (state !== 'lossy') return new globalThis.Map();
  const causes: Row[] = [...new Set(findings.map(({ cause }) => cause))];
  if (causes.length === 0) causes.push('unsorted');
  return new globalThis.Map((counting === 'any' ? causes : causes.slice(0, 1)).map((cause) => [cause, 1]));
}

/** The rows that an attempt counts in, once each. */
export const rowsOf = (attempt: AtlasAttempt, counting: Counting): Row[] => [...shares(attempt, counting).keys()];

const ownersOf = (view: AtlasView) => new globalThis.Map(view.causes.map(({ id, owner }) => [id as Row, owner]));

/** Attempts that lost points and fit all but, if asked for, the cause. */
export function fitting(view: AtlasView, filter: Filter, { ofCause = true } = {}): AtlasAttempt[] {
  const owners = ownersOf(view);
  return view.attempts.filter((attempt) => {
    const rows = rowsOf(attempt, filter.counting);
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

/** The map of a view: every cause that occurs, the largest first, and what has no cause at the end. */
export function mapOf(view: AtlasView, by: AtlasBy, filter: Filter): Map {
  const levels = [...new Set(view.attempts.map(({ level }) => level))].sort();
  const columns =
    by === 'level'
      ? levels.map((level) => ({ id: level as string, label: level as string, whole: 0 }))
      : view.sources.map((_, index) => ({ id: String(index), label: labelOf(view, index), whole: 0 }));
  const order: Row[] = [...view.causes.map(({ id }) => id as Row), 'unsorted'];
  const owners = ownersOf(view);
  const cells = new globalThis.Map<Row, number[]>();
  let whole = 0;
  for (const attempt of fitting(view, filter, { ofCause: false })) {
    const place = columns.findIndex(({ id }) => id === (by === 'level' ? attempt.level : String(attempt.source)));
    const column = columns[place];
    if (!column) continue;
    const own = [...shares(attempt, filter.counting)].filter(
      ([row]) => filter.owner === null || owners.get(row) === filter.owner,
    );
    // An attempt with several causes is one attempt; its points are each of one cause.
    const adds = filter.counting === 'points' ? own.reduce((sum, [, points]) => sum + points, 0) : 1;
    column.whole += adds;
    whole += adds;
    for (const [row, share] of own) {
      const counted = cells.get(row) ?? columns.map(() => 0);
      counted[place] = (counted[place] ?? 0) + share;
      cells.set(row, counted);
    }
  }
  const rows = order.flatMap((cause) => {
    const counted = cells.get(cause);
    return counted ? [{ cause, cells: counted, sum: counted.reduce((all, one) => all + one, 0) }] : [];
  });
  rows.sort(
    (one, other) => Number(one.cause === 'unsorted') - Number(other.cause === 'unsorted') || other.sum - one.sum,
  );
  return { columns, rows, whole };
}

/** Whose the causes are: as the rows of the map, summed by owner, the largest first. `null` is what has no cause. */
export function ownerSums(view: AtlasView, filter: Filter): { owner: CauseOwner | null; sum: number }[] {
  const owners = ownersOf(view);
  const sums = new globalThis.Map<CauseOwner | null, number>();
  for (const attempt of fitting(view, { ...filter, owner: null }, { ofCause: false })) {
    const own = new globalThis.Map<CauseOwner | null, number>();
    for (const [row, share] of shares(attempt, filter.counting)) {
      const owner = owners.get(row) ?? null;
      own.set(owner, filter.counting === 'points' ? (own.get(owner) ?? 0) + share : 1);
    }
    for (const [owner, share] of own) sums.set(owner, (sums.get(owner) ?? 0) + share);
  }
  return [...sums]
    .map(([owner, sum]) => ({ owner, sum }))
    .sort((one, other) => Number(one.owner === null) - Number(other.owner === null) || other.sum - one.sum);
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
