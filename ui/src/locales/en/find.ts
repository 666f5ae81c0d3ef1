import type { FoundField } from '../../ipc/gen';
import { plural } from '../plural';

export const find = {
  prompt: 'Words and filters over all transcripts, such as 주가 level:L3',
  ask: 'Search',
  searching: 'Searching…',
  reading: (done: string, total: string) => `Reading runs for the search: ${done} of ${total}`,
  examples: 'For example:',
  language: 'Fields and rules',
  rules:
    'All words and filters must match. A word is found in every text, also as a part of a word; case is ignored. “:” contains, or is the whole name; “~” contains; “=” is the whole text; numbers also take < <= > >=. “-” before a filter excludes; OR and brackets combine; a value with spaces is in double quotes. Filters are about the attempt as a whole.',
  fieldsOf: { texts: 'Texts', names: 'Names', numbers: 'Numbers' },
  fields: {
    ask: 'Request',
    said: 'Message',
    answer: 'Answer',
    argument: 'Argument',
    result: 'Result',
    error: 'Error',
  } satisfies Record<FoundField, string>,
  total: (attempts: string) => plural(attempts, 'attempt'),
  of: (searched: string, runs: string, all: string) => `of ${searched}, in ${runs} of ${plural(all, 'run')}`,
  copy: 'Copy as command',
  widen: 'Clear filters',
  hits: 'Matching attempts',
  counts: 'Counts',
  by: { model: 'By model', level: 'By level', tool: 'By tool that was called' },
  allOf: (number: string) => `Show all ${number}`,
  shown: (shown: string, all: string) => `${shown} of ${all} are listed.`,
  more: 'Show more',
  most: 'Narrow the search to see others.',
  nothing: 'Nothing matches. Fewer filters find more.',
  noRuns: 'There are no transcripts yet: make a run, or import run logs.',
  pending: (runs: string) => `Not searched: ${plural(runs, 'run')} not read yet.`,
  read: 'Read now',
  unfinished: (runs: string) => `Not searched: ${plural(runs, 'run')} under way.`,
  unreadable: (runs: string) => `Not searched in full: ${plural(runs, 'run')} with unreadable parts`,
};
