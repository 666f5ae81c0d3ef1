// What a form says of a running run as changes, and a change as a line of history.
import type { ChangeRecord, RetriedAttempt, RunChange } from '../../../ipc/gen';
import { dollars, NONE } from '../../../shared/format';
import { locale, number } from '../../../shared/locale.svelte';
import type { RunState } from '../state/state';

/** What is typed; empty texts change nothing. */
export interface ChangeDraft {
  concurrency: string;
  timeout: string;
  max_steps: string;
  max_cost: string;
  max_total_tokens: string;
  /** Caps that are taken away. */
  uncapped: readonly ('max_cost' | 'max_total_tokens')[];
  base_url: string;
  judges: readonly string[];
  /** Address of judges that have none by their name. */
  judge_base_url: string;
  leave_out: readonly string[];
}

export const NO_CHANGE: ChangeDraft = {
  concurrency: '',
  timeout: '',
  max_steps: '',
  max_cost: '',
  max_total_tokens: '',
  uncapped: [],
  base_url: '',
  judges: [],
  judge_base_url: '',
  leave_out: [],
};

/** Changes of a draft, in the order of the form. Numbers are checked by their fields and by the engine. */
export function changesOf(draft: ChangeDraft): RunChange[] {
  const typed = (text: string | number | null | undefined) => String(text ?? '').trim();
  const figure = (what: 'concurrency' | 'timeout' | 'max_steps'): RunChange[] =>
    typed(draft[what]) === '' ? [] : [{ what, to: Number(draft[what]) }];
  const cap = (what: 'max_cost' | 'max_total_tokens'): RunChange[] =>
    draft.uncapped.includes(what)
      ? [{ what, to: null }]
      : typed(draft[what]) === ''
        ? []
        : [{ what, to: Number(draft[what]) }];
  return [
    ...figure('concurrency'),
    ...figure('timeout'),
    ...figure('max_steps'),
    ...cap('max_cost'),
    ...cap('max_total_tokens'),
    ...(typed(draft.base_url) === '' ? [] : [{ what: 'base_url' as const, to: typed(draft.base_url) }]),
    ...(draft.judges.length === 0
      ? []
      : [{ what: 'judges' as const, to: [...draft.judges], base_url: typed(draft.judge_base_url) || null }]),
    ...(draft.leave_out.length === 0 ? [] : [{ what: 'leave_out' as const, tasks: [...draft.leave_out] }]),
  ];
}

/** Tasks that no attempt has begun, in the order of the grid. */
export const waitingTasks = ({ levels }: RunState): string[] =>
  levels.flatMap(({ cells }) => cells.filter(({ attempts }) => attempts.every((one) => !one)).map(({ task }) => task));

/** Attempts that failed for technical reasons, in the order of the grid. */
export const failedAttempts = ({ levels }: RunState): { task: string; repetition: number }[] =>
  levels.flatMap(({ cells }) =>
    cells.flatMap(({ task, attempts }) =>
      attempts.flatMap((attempt, repetition) => (attempt?.state === 'failed' ? [{ task, repetition }] : [])),
    ),
  );

/** Repetitions behind the first are told by their number. */
export const nameOf = ({ task, repetition = 1 }: RetriedAttempt): string =>
  repetition > 1 ? `${task} #${number(repetition)}` : task;

/** More names than this only lengthen the line. */
const NAMED = 5;
const some = (names: readonly string[]): string =>
  names.length > NAMED
    ? `${names.slice(0, NAMED).join(', ')} ${locale.t.terms.more(number(names.length - NAMED))}`
    : names.join(', ');

/** A change in words: what, from which value, to which. */
export function lineOf({ change }: ChangeRecord): string {
  const t = locale.t.changes;
  const count = (value: number | null | undefined) => (value === null || value === undefined ? NONE : number(value));
  const money = (value: number | null | undefined) =>
    value === null || value === undefined ? t.none : dollars(value, locale.language);
  const tokens = (value: number | null | undefined) => (value === null || value === undefined ? t.none : number(value));
  switch (change.what) {
    case 'max_cost':
      return t.line.max_cost(money(change.from), money(change.to));
    case 'max_total_tokens':
      return t.line.max_total_tokens(tokens(change.from), tokens(change.to));
    case 'base_url':
      return t.line.base_url(change.from ?? locale.t.connections.ownAddress, change.to);
    case 'judges':
      return t.line.judges(some(change.from ?? []) || t.none, some(change.to) || t.none);
    case 'leave_out':
      return t.line.leave_out('', some(change.tasks));
    case 'retry':
      return t.line.retry('', some(change.attempts.map(nameOf)));
    default:
      return t.line[change.what](count(change.from), count(change.to));
  }
}
