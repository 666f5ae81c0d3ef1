import type { ErrorCode, Sentence, WireError } from './gen';

/** How loudly an error is shown. */
export type Severity = 'info' | 'warning' | 'error';

/** What the user is offered to do about it; the text is `errors.next[…]` of the locale. */
export type NextStep =
  | 'change'
  | 'reload'
  | 'reopen'
  | 'importPack'
  | 'checkServer'
  | 'startDocker'
  | 'giveToken'
  | 'goOnline'
  | 'freeDisk'
  | 'checkFile'
  | 'wait'
  | 'none'
  | 'openLink'
  | 'startServer'
  | 'report';

/** The one table from error code to treatment. The UI never looks into an error's text. */
const TREATMENT: Record<ErrorCode, { severity: Severity; next: NextStep }> = {
  bad_request: { severity: 'warning', next: 'change' },
  not_found: { severity: 'warning', next: 'reload' },
  no_workspace: { severity: 'error', next: 'reopen' },
  no_pack: { severity: 'warning', next: 'importPack' },
  model_unreachable: { severity: 'error', next: 'checkServer' },
  no_access: { severity: 'warning', next: 'giveToken' },
  offline: { severity: 'warning', next: 'goOnline' },
  docker_unavailable: { severity: 'error', next: 'startDocker' },
  storage: { severity: 'error', next: 'freeDisk' },
  bad_file: { severity: 'error', next: 'checkFile' },
  busy: { severity: 'info', next: 'wait' },
  cancelled: { severity: 'info', next: 'none' },
  signed_out: { severity: 'warning', next: 'openLink' },
  disconnected: { severity: 'error', next: 'startServer' },
  internal: { severity: 'error', next: 'report' },
};

export function treatment(code: ErrorCode): { severity: Severity; next: NextStep } {
  return TREATMENT[code];
}

/** Whatever was thrown, as a `WireError`: hosts also throw plain text, such as when a command is not allowed. */
export function toWireError(thrown: unknown): WireError {
  if (isWireError(thrown)) return thrown;
  // Also an error of a host that is newer than the page and has a code more.
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
    return { code: 'internal', message: isSentence(thrown.message) ? thrown.message : String(thrown.message) };
  }
  return { code: 'internal', message: String(thrown) };
}

function isWireError(value: unknown): value is WireError {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Partial<Record<keyof WireError, unknown>>;
  return isSentence(message) && typeof code === 'string' && Object.hasOwn(TREATMENT, code);
}

function isSentence(value: unknown): value is Sentence {
  return (
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string')
  );
}
