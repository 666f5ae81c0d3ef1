// Who judged a report, in words.
import type { Messages } from '../../locales';

/** Names of judges; `null` where the report does not say whether there were any. */
export function judgesText(judges: readonly string[] | null, { noJudge, library }: Messages['reports']): string {
  return judges === null ? library.unknown : judges.join(', ') || noJudge;
}
