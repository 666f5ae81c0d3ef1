// Words of the parts that show data as it is: trees, Markdown, copies.
export const content = {
  copy: { copied: 'Copied', failed: 'This could not be copied.' },
  tree: {
    search: 'Search in it',
    matches: (at: string, all: string) => `${at} of ${all}`,
    manyMatches: (at: string, all: string) => `${at} of more than ${all}`,
    noMatch: 'Nothing found',
    next: 'Next match',
    previous: 'Previous match',
    openAll: 'Open all',
    closeAll: 'Close all',
    copy: 'Copy as JSON',
    entries: (count: string) => `${count} entries`,
    characters: (count: string) => `${count} characters`,
    showAll: 'Show all',
    hint: 'Arrow keys move and fold, Ctrl+C copies the value.',
  },
  markdown: {
    rendered: 'Rendered',
    raw: 'As written',
    view: 'How the text is shown',
    image: (name: string) => `[Image${name ? `: ${name}` : ''}]`,
    showAll: (count: string) => `Show all ${count} characters`,
  },
};
