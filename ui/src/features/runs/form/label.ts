import type { PackSummary } from '../../../ipc/gen';
import type { Messages } from '../../../locales';
import { number } from '../../../shared/locale.svelte';
import type { Draft } from './draft';
import { spanOf } from '../state/levels';

/** What the run button says: what it will run, with how many models, or why it cannot. */
export function runLabel(
  t: Messages['runs'],
  { scope, levels, tasks, models }: Pick<Draft, 'scope' | 'levels' | 'tasks' | 'models'>,
  busy: boolean,
  /** The pack that is run. */
  pack?: Pick<PackSummary, 'kind' | 'name' | 'title' | 'levels'>,
): string {
  if (scope === 'adaptive') return t.form.adaptive.run;
  const chosen = scope === 'levels' ? levels.length : tasks.length;
  if (chosen === 0) return scope === 'levels' ? t.form.runNothing : t.form.runNoTask;
  // Another benchmark is known by its name and not by its groups.
  const isWhole = scope === 'levels' && !!pack?.kind && levels.length === pack.levels.length;
  const groups = isWhole ? pack.title || pack.name : spanOf(levels);
  const what = scope === 'levels' ? groups : t.form.tasks(number(chosen));
  const named = models.length > 1 ? t.form.withModels(what, number(models.length)) : what;
  return busy ? t.form.queue(named) : t.form.run(named);
}
