// Walking through the tasks of a run: which ones the filter leaves, and which is next.
import type { Level, RunTask, TaskFigure, TaskStatus } from '../../ipc/gen';
import type { Query } from '../../shared/route.svelte';

export interface Filter {
  level: Level | null;
  status: TaskStatus | null;
}

export const STATUSES: readonly TaskStatus[] = ['answered', 'unanswered', 'failed', 'unreadable', 'waiting'];

/** The filter as the address keeps it; what is none, or no level of these tasks, is left out. */
export function filterOf(query: Query, tasks: readonly RunTask[]): Filter {
  return {
    level: tasks.find(({ level }) => level === query['level'])?.level ?? null,
    status: STATUSES.find((status) => status === query['status']) ?? null,
  };
}

/** The query of the address with this filter instead of its own. */
export function withFilter(query: Query, { level, status }: Filter): Query {
  const { level: _level, status: _status, ...rest } = query;
  return { ...rest, ...(level ? { level } : {}), ...(status ? { status } : {}) };
}

/** The query of the address but for these keys. */
export const without = (query: Query, ...keys: string[]): Query =>
  Object.fromEntries(Object.entries(query).filter(([key]) => !keys.includes(key)));

/** The tasks that fit; a group that none is of filters nothing. */
export function filtered(tasks: readonly RunTask[], { level, status }: Filter): RunTask[] {
  const group = tasks.some((task) => task.level === level) ? level : null;
  return tasks.filter(
    (task) => (group === null || task.level === group) && (status === null || task.status === status),
  );
}

/**
 * The task that follows in the filtered order, or stands before. From a task that the filter leaves out it is the nearest
 * one in the run's order; at either end there is none.
 */
export function neighbour(tasks: readonly RunTask[], filter: Filter, current: string, by: 1 | -1): RunTask | null {
  const here = tasks.findIndex((task) => task.id === current);
  const left = filtered(tasks, filter);
  const place = (task: RunTask) => tasks.indexOf(task);
  return by === 1
    ? (left.find((task) => place(task) > here) ?? null)
    : (left.findLast((task) => place(task) < here) ?? null);
}

/** The first task, in the run's order, that a metric does not score in full; where there is none, or nothing is scored, the first. */
export function firstToRead(
  tasks: readonly RunTask[],
  figures: readonly TaskFigure[],
  metric: string,
): RunTask | undefined {
  const lost = new Set(
    figures
      .filter(({ scores }) => scores.some((one) => one.metric === metric && one.value !== null && one.value < 1))
      .map(({ task }) => task),
  );
  return tasks.find(({ id }) => lost.has(id)) ?? tasks[0];
}
