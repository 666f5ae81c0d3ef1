// What the address says about the judge lab: `#/judging?runs=a,b&reports=c&scorer=corrected&measure=sr`, and
// `#/judging/queue/<id>?n=3` for a review. Ids of runs and reports hold no commas.
import type { LabMeasure, LabRequest } from '../../ipc/gen';
import { at, type Query, route } from '../../shared/route.svelte';

const list = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

export function requestOf(query: Query): LabRequest {
  return {
    runs: list(query['runs']),
    reports: list(query['reports']),
    scorer: query['scorer'] === 'corrected' ? 'corrected' : 'leaderboard',
  };
}

export const isEmpty = ({ runs, reports }: LabRequest): boolean => runs.length + reports.length === 0;

export const MEASURES: readonly LabMeasure[] = [
  'composite',
  'composite_common',
  'sr',
  'arg_acc',
  'eff_score',
  'context_retention',
  'ref_recall',
];

export const measureOf = (query: Query): LabMeasure => MEASURES.find((one) => one === query['measure']) ?? 'composite';

/** The lab with other values; an empty one goes. */
export function changed(change: Query): string {
  const query = Object.fromEntries(
    Object.entries({ ...route.place.query, ...change }).filter(([, value]) => value !== ''),
  );
  return at('judging', query);
}

/** A review, and with it the way back to the runs it came from. */
export const queuePlace = (id: string, query: Query = {}): string => at('judging', 'queue', id, query);
