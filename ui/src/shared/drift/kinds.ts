// What can have become of a call's result, in the order in which it is told.
import type { CallDriftKind } from '../../ipc/gen';

export const KINDS = [
  'same',
  'differs',
  'missing',
  'found',
  'still_missing',
  'error_then',
  'injected',
  'not_kept',
] as const satisfies readonly CallDriftKind[];

/** Those of which a reader should know: another run would see something else. */
export const LOUD: ReadonlySet<CallDriftKind> = new Set(['differs', 'missing', 'found']);
