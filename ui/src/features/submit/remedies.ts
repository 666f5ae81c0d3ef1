// Where an objection is mended: by its code, never by its text.
import type { FindingCode, SubmissionView } from '../../ipc/gen';
import { at } from '../../shared/route.svelte';

type Word = 'toNames' | 'toRun' | 'toMisses' | 'toPacks';

/** The place to go to and the word for it; `null` where files have to be put right by hand. */
export function remedyOf(
  code: FindingCode,
  { report, run }: Pick<SubmissionView, 'report' | 'run'>,
): { href: string; word: Word } | null {
  switch (code) {
    case 'missing_name':
      return { href: at('reports', report, 'submit', { step: 'names' }), word: 'toNames' };
    case 'low_hit_rate':
      return { href: at('runs', run, { part: 'misses' }), word: 'toMisses' };
    case 'other_tasks':
    case 'other_tools':
    case 'other_prompts':
    case 'other_recordings':
      return { href: at('packs'), word: 'toPacks' };
    case 'missing_file':
    case 'changed_file':
    case 'unreadable':
    case 'edited_row':
      return null;
    default:
      return { href: at('runs', run), word: 'toRun' };
  }
}
