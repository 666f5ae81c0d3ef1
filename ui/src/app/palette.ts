// What the palette finds: pure search over what is offered, so that a key costs no question to the engine.
import type { ReportRow, RunSummary, TaskRow } from '../ipc/gen';
import type { Action } from './actions';

export type GroupId = 'actions' | 'screens' | 'runs' | 'reports' | 'tasks' | 'find';

export interface Group {
  id: GroupId;
  items: Action[];
  /** How many more match than are shown. */
  more: number;
}

/** Rows of one kind beside those of others: a list that fits the window at its smallest. */
const SHOWN = 8;
/** Runs and reports that are offered before anything is typed. */
const RECENT = 4;

/** Letters as they are compared: composed Hangul, no case. File names of some systems come decomposed. */
const plain = (text: string) => text.normalize('NFC').toLocaleLowerCase();

/** How well an item fits: 0 not at all; more where the words begin a title. Every word must be found somewhere. */
function fit(item: Action, words: string[]): number {
  const title = plain(item.title);
  const rest = plain(`${item.detail ?? ''} ${item.words ?? ''}`);
  let sum = 0;
  for (const word of words) {
    if (title.startsWith(word)) sum += 4;
    else if (title.includes(` ${word}`)) sum += 3;
    else if (title.includes(word)) sum += 2;
    else if (rest.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

/**
 * The groups with what fits `text`, empty ones left out. Runs and reports come in the order given, the newest first;
 * of actions, screens and tasks those that fit best come first. Without a text: what is short, and the newest.
 */
export function found(all: Record<GroupId, Action[]>, text: string): Group[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const groups = (Object.keys(all) as GroupId[]).map((id): Group => {
    const dated = id === 'runs' || id === 'reports';
    if (words.length === 0) {
      const shown = id === 'tasks' ? [] : dated ? all[id].slice(0, RECENT) : all[id];
      return { id, items: shown, more: 0 };
    }
    const fitting = all[id].map((item) => ({ item, how: fit(item, words) })).filter(({ how }) => how > 0);
    if (!dated) fitting.sort((one, other) => other.how - one.how);
    return { id, items: fitting.slice(0, SHOWN).map(({ item }) => item), more: Math.max(0, fitting.length - SHOWN) };
  });
  return groups.filter(({ items }) => items.length > 0);
}

/** `20261121_093000` as a person reads it, and as it is. */
export function day(date: string): string {
  const parts = /^(\d{4})(\d{2})(\d{2})(?:_(\d{2})(\d{2}))?/.exec(date);
  if (!parts) return date;
  const [, year, month, of, hour, minute] = parts;
  return `${year}-${month}-${of}${hour ? ` ${hour}:${minute}` : ''}`;
}

const newest = <T>(list: T[], date: (one: T) => string) => [...list].sort((a, b) => date(b).localeCompare(date(a)));

/** The levels of a run or report, so that `gpt-5 L3` finds those of a model that have the level. */
const levelsIn = ({ levels }: { levels: readonly { level: string }[] }) => levels.map(({ level }) => level).join(' ');

export function runItems(runs: RunSummary[], go: (id: string) => void): Action[] {
  return newest(runs, ({ date }) => date).map((run) => ({
    id: `run-${run.id}`,
    title: run.model,
    detail: [day(run.date), run.pack].filter(Boolean).join(' · '),
    words: `${run.id} ${levelsIn(run)}`,
    run: () => go(run.id),
  }));
}

export function reportItems(reports: ReportRow[], go: (id: string) => void): Action[] {
  return newest(reports, ({ date }) => date).map((report) => ({
    id: `report-${report.id}`,
    title: report.model,
    detail: `${day(report.date)} · ${report.scorer}`,
    words: `${report.id} ${levelsIn(report)} ${report.judges?.join(' ') ?? ''} ${report.tags.join(' ')} ${report.note} ${report.pack ?? ''}`,
    run: () => go(report.id),
  }));
}

export function taskItems(tasks: TaskRow[], go: (id: string) => void): Action[] {
  return tasks.map((task) => ({
    id: `task-${task.id}`,
    title: task.id,
    detail: task.instruction,
    words: `${task.level} ${task.tools.join(' ')}`,
    run: () => go(task.id),
  }));
}
