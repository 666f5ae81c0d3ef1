// Words of the parts that show data as it is: trees, Markdown, copies.
import { plural } from '../plural';

export const content = {
  copy: { copied: 'Copied', failed: 'Copy failed.' },
  tree: {
    search: 'Search',
    matches: (at: string, all: string) => `${at} of ${all}`,
    manyMatches: (at: string, all: string) => `${at} of more than ${all}`,
    noMatch: 'No matches',
    next: 'Next match',
    previous: 'Previous match',
    openAll: 'Expand all',
    closeAll: 'Collapse all',
    copy: 'Copy as JSON',
    entries: (count: string) => `${plural(count, 'entry', 'entries')}`,
    characters: (count: string) => `${plural(count, 'character')}`,
    showAll: 'Show all',
    hint: 'Arrow keys move, expand and collapse; Ctrl+C copies the value.',
  },
  markdown: {
    rendered: 'Rendered',
    raw: 'Source',
    view: 'Text view',
    image: (name: string) => `[Image${name ? `: ${name}` : ''}]`,
    showAll: (count: string) => `Show all ${count} characters`,
  },
};
