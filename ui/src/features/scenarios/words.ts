// Marks and tones of trials: a mark for every cause, so that colour never says it alone.
import type { ScenarioCell, ScenarioLive, ScenarioTrial } from '../../ipc/gen';
import type { Messages } from '../../locales';
import { dollars, duration, NONE } from '../../shared/format';
import { locale } from '../../shared/locale.svelte';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet';

export interface Mark {
  sign: string;
  tone: Tone;
  /** All of it in words. */
  label: string;
  /** Done in an earlier run. */
  faint?: boolean;
}

type Words = Messages['scenarios'];

const SIGNS: Record<string, { sign: string; tone: Tone }> = {
  running: { sign: '▸', tone: 'busy' },
  waiting: { sign: '·', tone: 'quiet' },
  completed: { sign: '✓', tone: 'good' },
  failed: { sign: '✗', tone: 'bad' },
  timed_out: { sign: 'T', tone: 'warn' },
  out_of_memory: { sign: 'M', tone: 'bad' },
  could_not_start: { sign: '!', tone: 'bad' },
  cancelled: { sign: '–', tone: 'quiet' },
  lost: { sign: '?', tone: 'warn' },
};

/** What may be said of a trial, in the order of the sums. */
export const CAUSES = Object.keys(SIGNS);

export const causeWord = (cause: string, t: Words): string =>
  cause === 'running' || cause === 'waiting' ? t.states[cause] : (t.causes[cause] ?? cause);

export const isOver = (run: ScenarioLive): boolean => run.summary !== null || run.error !== null;

export function signOf(cause: string): { sign: string; tone: Tone } {
  return SIGNS[cause] ?? { sign: '?', tone: 'quiet' };
}

const time = (seconds: number | null) => (seconds === null ? '' : `, ${duration(seconds * 1000)}`);

export function liveMark(trial: ScenarioTrial, t: Words): Mark {
  if (trial.state === 'waiting' || trial.state === 'running')
    return { ...signOf(trial.state), label: t.states[trial.state] };
  const cause = trial.cause ?? '';
  const before = trial.state === 'skipped';
  const label = `${causeWord(cause, t)}${time(trial.seconds)}${before ? ` (${t.states.skipped})` : ''}`;
  return { ...signOf(cause), label, faint: before };
}

/** A verdict, and where a trial did not end by itself, its cause. */
export function cellMark(cell: ScenarioCell, t: Words): Mark {
  const words = [
    t.verdicts[cell.verdict],
    cell.verdict === 'missing' ? locale.said(cell.why) : '',
    cell.cause ? causeWord(cell.cause, t) : '',
  ].filter(Boolean);
  const label = words.join(' · ') + time(cell.seconds);
  if (cell.verdict === 'passed') return { sign: '✓', tone: 'good', label };
  if (cell.verdict === 'missing') return { sign: cell.cause ? signOf(cell.cause).sign : '∅', tone: 'quiet', label };
  const technical = cell.cause !== null && cell.cause !== 'completed' && cell.cause !== 'failed';
  return { sign: technical ? signOf(cell.cause ?? '').sign : '✗', tone: technical ? 'warn' : 'bad', label };
}

/** Bytes in the largest unit that leaves a number above 1. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Dollars as far as they matter, or that they are not known. */
export function usd(amount: number | null): string {
  return amount === null ? NONE : dollars(amount, locale.language);
}
