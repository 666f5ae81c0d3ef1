// The keys that work wherever the user is, in one table, and what a press means. Keys of one screen or one part are the
// screen's own; `SCREEN_KEYS` only names them for the help.
//
// Letters are told by their place on the keyboard: with a Korean layout the key of `g` writes `ㅎ`.
import { composing } from '../shared/composing';
import { at } from '../shared/route.svelte';
import { type AreaId, AREAS, ROOMS } from './rooms';

/** What a shortcut does: goes to an area, or one of these. */
export type Deed = AreaId | 'palette' | 'guide' | 'help' | 'glossary' | 'import' | 'start';

/** The form of a new run, over the list of runs. */
export const NEW_RUN = at('runs', { new: '1' });

/** The form of a new sweep. */
export const NEW_SWEEP = at('sweeps', { new: '1' });

export interface Shortcut {
  /** Caps to press, in their order; `Mod` is Ctrl, and ⌘ on a Mac. Caps of one press are joined. */
  presses: string[][];
  deed: Deed;
  /** Works while a text is typed as well. */
  inFields?: boolean;
}

const LETTERS: Record<AreaId, string> = {
  runs: 'R',
  sweeps: 'W',
  adaptive: 'V',
  reports: 'E',
  compare: 'C',
  atlas: 'F',
  tasks: 'T',
  models: 'M',
  agents: 'A',
  scenarios: 'N',
  packs: 'P',
  drafts: 'D',
  find: 'Q',
  judging: 'J',
  settings: 'S',
  trash: 'X',
};

/** Seconds between the two keys of one shortcut. */
const PATIENCE_MS = 1500;

export const GLOBAL: Shortcut[] = [
  { presses: [['Mod', 'K']], deed: 'palette', inFields: true },
  { presses: [['F1']], deed: 'guide', inFields: true },
  { presses: [['?']], deed: 'help' },
  { presses: [['I']], deed: 'glossary' },
  { presses: [['Mod', 'O']], deed: 'import' },
  { presses: [['C']], deed: 'start' },
  { presses: [['Mod', ',']], deed: 'settings' },
  ...AREAS.map(({ id }): Shortcut => ({ presses: [['G'], [LETTERS[id]]], deed: id })),
  ...ROOMS.map(({ areas }, index): Shortcut => ({ presses: [['Mod', String(index + 1)]], deed: areas[0].id })),
];

/** Keys of screens and parts, for the help. The first word of each row is a key of `t.app.shortcuts.where`. */
export const SCREEN_KEYS = {
  task: [
    { caps: [['J'], ['K']], does: 'walk' },
    { caps: [['O']], does: 'override' },
    { caps: [['Esc']], does: 'back' },
  ],
  list: [
    { caps: [['↑'], ['↓'], ['J'], ['K']], does: 'move' },
    {
      caps: [
        ['Shift', '←'],
        ['Shift', '→'],
      ],
      does: 'resize',
    },
    { caps: [['PgUp'], ['PgDn'], ['Home'], ['End']], does: 'leap' },
    { caps: [['Enter']], does: 'open' },
    { caps: [['Space']], does: 'tick' },
    { caps: [['Y']], does: 'link' },
  ],
  grid: [
    { caps: [['←'], ['→'], ['↑'], ['↓']], does: 'move' },
    { caps: [['Enter']], does: 'open' },
  ],
  tree: [
    { caps: [['←'], ['→']], does: 'fold' },
    { caps: [['Enter'], ['Shift', 'Enter']], does: 'match' },
    { caps: [['Mod', 'C']], does: 'copy' },
  ],
  dialog: [{ caps: [['Esc']], does: 'close' }],
} as const;

/** Whether the machine's keyboard says ⌘ where others say Ctrl. */
export const apple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A cap as it is printed on this machine's keyboard. */
export const printed = (cap: string): string => (cap === 'Mod' ? (apple() ? '⌘' : 'Ctrl') : cap);

/** The presses of what goes to an area or does one thing, the shortest first; none for what has none. */
export function pressesOf(deed: Deed): string[][] | null {
  return GLOBAL.find((one) => one.deed === deed)?.presses ?? null;
}

/** Where keys write text, or choose by their letters. */
function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"])');
  return (
    field !== null &&
    !(field instanceof HTMLInputElement && ['checkbox', 'radio', 'button', 'range', 'file'].includes(field.type))
  );
}

/** Something lies over the screen and has keys of its own. */
const covered = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]') !== null;

/** The cap of a key as the table writes it. */
function capOf(event: KeyboardEvent): string {
  if (/^(Key|Digit)/.test(event.code)) return event.code.replace(/^(Key|Digit)/, '');
  return event.code === 'Comma' && !event.shiftKey ? ',' : event.key;
}

/** Follows the keyboard, and says which shortcut was pressed. */
export class Shortcuts {
  #deeds: (deed: Deed) => void;
  #first: { cap: string; at: number } | null = null;

  constructor(deeds: (deed: Deed) => void) {
    this.#deeds = deeds;
  }

  /** Listens until the returned function is called; before the keys of screens, so that a `g` is never half theirs. */
  begin(): () => void {
    const pressed = (event: KeyboardEvent) => this.#pressed(event);
    addEventListener('keydown', pressed, { capture: true });
    return () => removeEventListener('keydown', pressed, { capture: true });
  }

  #pressed(event: KeyboardEvent): void {
    if (composing(event) || event.altKey || event.repeat) return;
    // The first key of two may need Shift or Ctrl for the second; neither ends the wait.
    if (['Shift', 'Control', 'Meta'].includes(event.key)) return;
    const mod = apple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    const before = this.#first;
    this.#first = null;
    if (!mod && (event.ctrlKey || event.metaKey)) return;
    const cap = capOf(event);
    const press = mod ? ['Mod', cap] : [cap];
    const waited = before && event.timeStamp - before.at <= PATIENCE_MS ? [[before.cap], press] : null;
    const found = (waited && this.#find(waited)) ?? this.#find([press]);
    const blocked = typing(event.target);
    if (found) {
      if (blocked && !found.inFields) return;
      // The palette's key closes it as well.
      if (covered() && found.deed !== 'palette') return;
      event.preventDefault();
      event.stopPropagation();
      this.#deeds(found.deed);
    } else if (
      !blocked &&
      !covered() &&
      !mod &&
      !event.shiftKey &&
      GLOBAL.some(({ presses }) => presses.length === 2 && presses[0]?.[0] === cap)
    ) {
      this.#first = { cap, at: event.timeStamp };
    }
  }

  #find(presses: string[][]): Shortcut | undefined {
    const asked = JSON.stringify(presses);
    return GLOBAL.find((one) => JSON.stringify(one.presses) === asked);
  }
}
