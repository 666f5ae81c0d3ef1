// The options of a field that searches a list: what matches the typed text, and what Enter takes.

import { plain } from './names';

export interface SearchOption {
  /** What is chosen. */
  value: string;
  /** Heading above the option; options of one heading follow each other. */
  group?: string;
  /** Text of the option, where it differs from its value. */
  text?: string;
  /** A word that sets the option apart, such as `leaderboard`. */
  mark?: string;
  /** What is known of it, such as its price. */
  facts?: string;
  /** A reason against it, such as a missing key. */
  warning?: string;
  /** How much there is of it, at the end of its line. */
  count?: string;
}

/** A whole name `provider/model`. */
export const isName = (text: string): boolean => /^[^/\s]+\/\S+$/.test(text.trim());

/** The options that contain every word of the text, in their order. */
export function matching(options: readonly SearchOption[], text: string): SearchOption[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  return options.filter(({ value, text: shown, group, mark }) => {
    const all = plain([value, shown, group, mark].filter(Boolean).join(' '));
    return words.every((word) => all.includes(word));
  });
}

/**
 * The options below the field. The one that was typed in full comes first, and so does a whole name that is not listed:
 * Enter takes what was typed. Where any text is a name, it comes last, since it may be a search.
 */
export function offered(
  options: readonly SearchOption[],
  text: string,
  free?: (name: string) => string,
  takesAny = false,
): SearchOption[] {
  const name = text.trim();
  const listed = matching(options, text);
  const exact = listed.filter(({ value }) => plain(value) === plain(name));
  const others = listed.filter((option) => !exact.includes(option));
  const typed = free && name !== '' && exact.length === 0 ? [{ value: name, text: free(name) }] : [];
  if (takesAny) return [...exact, ...others, ...typed];
  return [...(isName(name) ? typed : []), ...exact, ...others];
}

/** The whole names before the last comma or space of a text, and the rest that is still being typed. */
export function namesIn(text: string): { names: string[]; rest: string } {
  const parts = text.split(/[\s,]+/);
  const rest = parts.pop() ?? '';
  // Words without a slash are a search of several words.
  if (parts.length === 0 || !parts.every((part) => part === '' || isName(part))) return { names: [], rest: text };
  return { names: parts.filter(Boolean), rest };
}
