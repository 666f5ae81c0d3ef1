// What a report says of each task: right or wrong where it was judged, and its scores.
import type { ReportDetail } from '../../../ipc/gen';
import type { Cell, CellState } from './state';

export interface TaskMark {
  /** Whether the task was solved (SR); `null` where nobody judged that. */
  readonly right: boolean | null;
  /** Its scores, by metric; only those that there are. */
  readonly scores: readonly { readonly metric: string; readonly value: number }[];
}

/** What a cell of the grid shows. */
export type Mark = CellState | 'right' | 'wrong';

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

/** Right or wrong is said of what was answered; how else an attempt ended says more than that it is wrong. */
export function markIn(marks: TaskMarks, { task, state }: Pick<Cell, 'task' | 'state'>): Mark {
  const right = state === 'done' ? (marks.get(task)?.right ?? null) : null;
  return right === null ? state : right ? 'right' : 'wrong';
}
