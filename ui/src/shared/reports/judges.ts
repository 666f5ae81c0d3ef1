// Who judged a report, in words.
import { locale } from '../locale.svelte';
import { hostOf } from '../modelHost';

/** Names of judges, with the host of an address that these do not say; `null` where the report does not say whether there were any. */
export function judgesText(judges: readonly string[] | null, address?: string): string {
  if (judges === null) return locale.t.reports.library.unknown;
  if (judges.length === 0) return locale.t.terms.notJudged;
  return judges.join(', ') + (address ? ` (${hostOf(address)})` : '');
}
