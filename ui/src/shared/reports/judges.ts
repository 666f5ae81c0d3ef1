// Who judged a report, in words.
import { locale } from '../locale.svelte';

/** Names of judges; `null` where the report does not say whether there were any. */
export function judgesText(judges: readonly string[] | null): string {
  return judges === null ? locale.t.reports.library.unknown : judges.join(', ') || locale.t.terms.notJudged;
}
