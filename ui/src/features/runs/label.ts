import type { Level } from '../../ipc/types';
import type { Messages } from '../../locales';
import { spanOf } from './levels';

/** What the run button says: what it will run, or why it cannot. */
export function runLabel(t: Messages['runs'], levels: readonly Level[], busy: boolean): string {
  if (busy) return t.form.busy;
  return levels.length > 0 ? t.form.run(spanOf(levels)) : t.form.runNothing;
}
