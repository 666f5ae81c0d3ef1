// What the address says about the judge lab: `#/judging?runs=a,b&reports=c&scorer=corrected&measure=sr&without=judge`, and
// `#/judging/queue/<id>?n=3` for a review. Ids of runs and reports hold no commas.
import type { JudgeCoverage, LabMeasure, LabRequest } from '../../ipc/gen';
import { at, type Query, route } from '../../shared/route.svelte';

const list = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

export function requestOf(query: Query): LabRequest {
  return {
    runs: list(query['runs']),
    reports: list(query['reports']),
    scorer: query['scorer'] === 'corrected' ? 'corrected' : 'leaderboard',
    without: list(query['without']),
    with: list(query['with']),
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

/** The lab with a judge among all, or not; one with few answers is only there when it is put there. */
export function among({ judge, few }: Pick<JudgeCoverage, 'judge' | 'few'>, counts: boolean): string {
  const name = few ? 'with' : 'without';
  const others = list(route.place.query[name]).filter((one) => one !== judge);
  return changed({ [name]: [...others, ...(few === counts ? [judge] : [])].join(',') });
}

/** A review, and with it the way back to the runs it came from. */
export const queuePlace = (id: string, query: Query = {}): string => at('judging', 'queue', id, query);
