// What a key means in a review. Letters are told by their place on the keyboard, so that a Korean layout answers as well.
import type { BlindAnswer } from '../../ipc/gen';
import { composing } from '../../shared/composing';

export type Deed = { answer: BlindAnswer } | 'skip' | 'undo' | 'next' | 'back';

const answer = (change: Partial<BlindAnswer>): Deed => ({
  answer: { success: null, score: null, unsure: false, note: '', ...change },
});

/** Null for keys that mean nothing here, that belong to a syllable being composed, to a text field, or to a shortcut. */
export function deedOf(event: KeyboardEvent, yesNo: boolean): Deed | null {
  if (composing(event) || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]')) return null;
  if (event.key === 'Backspace') return 'undo';
  if (event.code === 'KeyS') return 'skip';
  if (event.code === 'KeyU') return answer({ unsure: true });
  if (event.code === 'KeyJ' || event.key === 'ArrowRight') return 'next';
  if (event.code === 'KeyK' || event.key === 'ArrowLeft') return 'back';
  if (yesNo && event.code === 'KeyY') return answer({ success: true });
  if (yesNo && event.code === 'KeyN') return answer({ success: false });
  const grade = /^(?:Digit|Numpad)([1-5])$/.exec(event.code)?.[1];
  return !yesNo && grade ? answer({ score: Number(grade) }) : null;
}
