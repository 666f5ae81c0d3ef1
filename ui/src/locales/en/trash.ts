import type { TrashKind } from '../../ipc/gen';
import { plural } from '../plural';

export const trash = {
  about: (days: string) =>
    `Deleted runs, reports, forks and packs stay for ${days} days. Older ones are removed for good at the next deletion.`,
  list: 'Deleted runs, reports, forks and packs',
  none: 'The trash is empty.',
  kinds: { run: 'Run', report: 'Report', fork: 'Fork', pack: 'Pack' } satisfies Record<TrashKind, string>,
  counted: {
    run: (count: string) => plural(count, 'run'),
    report: (count: string) => plural(count, 'report'),
    fork: (count: string) => plural(count, 'fork'),
    pack: (count: string) => plural(count, 'pack'),
  } satisfies Record<TrashKind, (count: string) => string>,
  anyKind: 'all types',
  deleted: 'Deleted',
  size: 'Size',
  total: (size: string) => `${size} in total`,
  undated: 'An earlier version deleted it without noting when. Its days begin at the next deletion.',
  overdue: 'Its days are over, but it could not be removed. The next deletion tries again.',
  restore: 'Restore',
  restoreOf: (name: string) => `Restore ${name}`,
  restored: (kind: string, name: string) => `${kind} restored: ${name}.`,
  remove: 'Delete for good',
  removeOf: (name: string) => `Delete for good: ${name}`,
  removeTitle: (kind: string, name: string) => `Delete for good: ${kind} ${name}?`,
  forGood: 'This cannot be undone.',
  empty: 'Empty trash…',
  emptyTitle: (count: string, size: string) => `Delete all ${count} for good (${size})?`,
  emptyConfirm: 'Empty trash',
  noticeLabel: 'Deleted',
  moved: (kind: string, name: string) => `${kind} moved to trash: ${name}.`,
  movedMany: (counts: string) => `Moved to trash: ${counts}.`,
};
