// Which tasks are shown: what the address says, and the tasks that fit it.
import type { Level, TaskRow } from '../../ipc/gen';
import type { Query } from '../../shared/route.svelte';

export interface Chosen {
  /** `null` is the active pack. */
  pack: string | null;
  level: Level | null;
  words: string;
  flagged: boolean;
}

/** The levels or groups that these tasks have, in the pack's order. */
export function levelsOf(tasks: readonly TaskRow[]): Level[] {
  return [...new Set(tasks.map(({ level }) => level))];
}

/** The chosen level. One that the pack has not, such as another pack's in an address, leaves nothing out. */
export function levelOf(tasks: readonly TaskRow[], level: Level | null): Level | null {
  return tasks.some((task) => task.level === level) ? level : null;
}

export function chosenFrom(query: Query): Chosen {
  return {
    pack: query['pack'] ?? null,
    level: query['level'] ?? null,
    words: query['q'] ?? '',
    flagged: query['flagged'] === '1',
  };
}

export function queryOf({ pack, level, words, flagged }: Chosen): Query {
  return {
    ...(pack === null ? {} : { pack }),
    ...(level === null ? {} : { level }),
    ...(words === '' ? {} : { q: words }),
    ...(flagged ? { flagged: '1' } : {}),
  };
}

const plain = (text: string) => text.normalize('NFC').toLocaleLowerCase();

/** Every word must be found: in the id, the instruction, a tool's name or the note of the flag. */
export function fitting(tasks: readonly TaskRow[], { level, words, flagged }: Chosen): TaskRow[] {
  const only = levelOf(tasks, level);
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  return tasks.filter((task) => {
    if (only !== null && task.level !== only) return false;
    if (flagged && task.flag === null) return false;
    const text = plain(
      [task.id, task.instruction, task.category ?? '', ...task.tools, task.flag?.note ?? ''].join('\n'),
    );
    return wanted.every((word) => text.includes(word));
  });
}
