// Small texts of forks that several parts show.
import type { ForkChangeView, ForkSummary } from '../../ipc/gen';
import type { Messages } from '../../locales';
import { jsonText } from '../../shared/exact';

type Words = Messages['fork'];

/** Whose message was changed, and into what sort of thing. */
export function changeOf(change: ForkChangeView, t: Words): string {
  const whose = change.tool ?? t.roles[change.role];
  switch (change.to.kind) {
    case 'error':
      return `${whose}: ${t.errorAs(change.to.error_type)}`;
    case 'result':
      return `${whose}: ${t.dialog.result}`;
    case 'text':
      return whose;
  }
}

/** Everything that was changed, on one line. */
export function changesOf(fork: Pick<ForkSummary, 'changes' | 'settings'>, t: Words): string {
  const changes = fork.changes.map((change) => changeOf(change, t));
  const settings = fork.settings.map(({ setting }) => t.settings[setting] ?? setting);
  return [...changes, ...settings].join(', ') || '—';
}

/** A value as it is read: texts as they are, else JSON. */
export function shown(value: unknown, nothing: string): string {
  if (value === null || value === undefined) return nothing;
  return typeof value === 'string' ? value : jsonText(value, 2);
}
