// What a report says of each task: right or wrong where it was judged, and its scores.
import type { ReportDetail } from '../../../ipc/gen';

export interface TaskMark {
  /** Whether the task was solved (SR); `null` where nobody judged that. */
  readonly right: boolean | null;
  /** Its scores, by metric; only those that there are. */
  readonly scores: readonly { readonly metric: string; readonly value: number }[];
}

export type TaskMarks = ReadonlyMap<string, TaskMark>;

export const NO_MARKS: TaskMarks = new Map();

export function marksOf({ tasks }: Pick<ReportDetail, 'tasks'>): TaskMarks {
  return new Map(
    tasks.map(({ task, scores }) => {
      const known = scores.flatMap(({ metric, value }) => (value === null ? [] : [{ metric, value }]));
      const solved = known.find(({ metric }) => metric === 'SR');
      return [task, { right: solved ? solved.value === 1 : null, scores: known }];
    }),
  );
}
