// A run that was made elsewhere, as its logs tell it: drawn by the same grid as a run of this program.
import type { RunTask, TaskStatus } from '../../../ipc/gen';
import { type Cell, type CellState, IDLE, type LevelProgress, type RunState } from './state';

const STATES: Record<TaskStatus, CellState> = {
  waiting: 'waiting',
  answered: 'done',
  unanswered: 'unanswered',
  failed: 'failed',
  unreadable: 'unscored',
};

const NONE = {
  waiting: 0,
  running: 0,
  retrying: 0,
  done: 0,
  unanswered: 0,
  failed: 0,
  cancelled: 0,
  unscored: 0,
  left_out: 0,
};

function cellOf({ id, level, status, steps, calls, total_tokens, error }: RunTask): Cell {
  const state = STATES[status];
  return {
    task: id,
    level,
    attempts: [],
    tally: { ...NONE, [state]: 1 },
    state,
    steps,
    calls,
    tokens: total_tokens,
    error,
  };
}

/** The run that the tasks belong to, over. */
export function runOf(tasks: readonly RunTask[]): RunState {
  const levels = [...new Set(tasks.map(({ level }) => level))].map((level): LevelProgress => {
    const cells = tasks.filter((task) => task.level === level).map(cellOf);
    const having = (state: CellState) => cells.filter((cell) => cell.state === state).length;
    const planned = cells.length;
    return {
      level,
      cells,
      planned,
      finished: planned - having('waiting') - having('unscored'),
      failed: having('failed'),
    };
  });
  const places = new Map(
    levels.flatMap(({ cells }, level) => cells.map(({ task }, cell) => [task, { level, cell }] as const)),
  );
  return { ...IDLE, phase: 'over', levels, places };
}
