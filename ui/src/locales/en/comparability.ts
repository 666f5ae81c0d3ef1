// How far numbers can be compared.
import { plural } from '../plural';

const PUBLISHED_PACK = 'Import the published repository and run with that pack.';
const PUBLISHED_JUDGE = 'Score with azure/gpt-4.1-mini as judge; no new run is needed.';

export const comparability = {
  withLeaderboard: 'Comparable to leaderboard',
  withFirst: 'Comparable to baseline',
  grades: { comparable: 'comparable', limited: 'partly', not_comparable: 'not comparable' },
  note: 'note',
  unread: 'the report cannot be read',
  nothing: 'No known difference from the published runs.',
  nothingBetween: 'No known difference apart from the model.',
  between: 'Comparability with baseline',
  /** What to do, for codes whose remedy the engine says in the command line's words. */
  fixes: {
    sampled: 'Score the whole run, not a sample.',
    other_protocol: 'Run again with the leaderboard protocol.',
    other_settings: 'Run again with the published limits and sampling.',
    other_agent: 'Run the model without an agent.',
    repetitions: 'Run again with the published number of repetitions.',
    low_hit_rate: 'Record the misses with your own service keys and run again.',
    other_tasks: PUBLISHED_PACK,
    other_tools: PUBLISHED_PACK,
    other_prompts: PUBLISHED_PACK,
    incomplete_run: 'Resume the run, then score it again.',
    technical_failures: 'Resume the run to repeat them, then score it again.',
    shortened: 'Run again with a larger context.',
    other_scorer: 'Score the run with the leaderboard rules.',
    no_judge: PUBLISHED_JUDGE,
    other_judges: PUBLISHED_JUDGE,
    other_votes: 'Score with 3 votes.',
  },
  calls: 'Tool call outcomes',
  compared: (pack: string) =>
    `The logs do not record how calls were answered. They are matched against the cache of ${pack}: what a run without keys would get today.`,
  rateHint: 'Cache hits as a share of cache lookups. Injected failures and rejected calls are not looked up.',
  hit: 'Cache hits',
  miss: 'Cache misses',
  injected: 'Injected failures',
  refused: 'Rejected calls',
  live: 'Live calls',
  overlay: 'Saved responses',
  touched: 'Attempts with a cache miss',
  touchedOf: (touched: string, attempts: string) => `${touched} of ${attempts}`,
  misses: (count: string) => `Cache misses (${count})`,
  noMisses: 'Every cache lookup was a hit.',
  noLookups: 'No call was looked up in the cache.',
  noCalls: 'No tool was called.',
  tasksHash: 'Tasks (SHA-256)',
  recordsHash: 'Cache (SHA-256)',
  tools: 'Tool descriptions',
  toolsOf: (count: string) => `${plural(count, 'tool')} offered`,
  asPublished: 'as published',
  settings: 'Run settings',
  recordings: 'Response source',
  sources: {
    pack: 'cache of the pack',
    snapshot: 'snapshot',
    overlay: 'cache + saved responses',
    write: 'cache + live APIs',
  },
  attemptsOf: (done: string, planned: string, failed: string) =>
    `${done} of ${planned} complete, ${failed} failed for technical reasons`,
};
