// A query of the search as the screen has it: what is typed, and the filters that are clicked, which stand in the address apart.
import type { FoundAttempt, FoundText } from '../../ipc/gen';
import { at, type Query } from '../../shared/route.svelte';

/** Fields of a query that have counts, each in the address under its own name. */
export const FACETS = ['model', 'level', 'tool'] as const;
export type Facet = (typeof FACETS)[number];

/** A value as a query writes it: in quotes where it would be read as something else without them. */
const value = (text: string): string =>
  text === '' || /[\s"():=~<>\\]/.test(text) ? `"${text.replace(/[\\"]/g, (sign) => `\\${sign}`)}"` : text;

/** What the engine is asked; empty while nothing is. `OR` binds weaker than a filter that is put behind it. */
export function queryOf(address: Query): string {
  const typed = (address['q'] ?? '').trim();
  const clicked = FACETS.flatMap((facet) => {
    const chosen = address[facet];
    return chosen === undefined ? [] : [`${facet}:${value(chosen)}`];
  });
  const first = clicked.length > 0 && /(^|[\s)])OR([\s(]|$)/.test(typed) ? `(${typed})` : typed;
  return [first, ...clicked].filter(Boolean).join(' ');
}

/** A part of an excerpt, in which `marked` parts are what was searched for. Places are counted in characters, not in UTF-16. */
export function partsOf({ text, marks }: FoundText): { text: string; marked: boolean }[] {
  const letters = [...text];
  const parts: { text: string; marked: boolean }[] = [];
  let from = 0;
  const add = (to: number, marked: boolean) => {
    if (to > from) parts.push({ text: letters.slice(from, to).join(''), marked });
    from = Math.max(from, to);
  };
  for (const [start, end] of marks) {
    add(start, false);
    add(end, true);
  }
  add(letters.length, false);
  return parts;
}

/** The transcript of a hit, at the call of the excerpt if it is of one. */
export function placeOf({ run, task, repetition, excerpts }: FoundAttempt, excerpt?: FoundText): string {
  const shown = excerpt ?? excerpts[0];
  const ofCall = shown && ['argument', 'result', 'error'].includes(shown.field) && shown.number > 0;
  return at('runs', run, task, {
    ...(repetition > 1 ? { repetition: String(repetition) } : {}),
    ...(ofCall ? { call: String(shown.number - 1) } : {}),
  });
}
