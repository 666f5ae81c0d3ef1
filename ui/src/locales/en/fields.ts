// Names of filters as they are typed, and what a search with filters says.
import { plural } from '../plural';

export const fields = {
  /** Words for each field, the one that is shown first; those of every language are understood. */
  names: {
    model: 'model models',
    pack: 'pack packs',
    judge: 'judge judges',
    protocol: 'protocol',
    comparability: 'comparability grade',
    set: 'set',
    tag: 'tag tags',
    state: 'state status',
    date: 'date day',
  },
  hint: (model: string, tag: string, date: string) => `Words, or filters such as ${model} ${tag} ${date}`,
  list: 'Filters and their values',
  filterBy: 'Filter by',
  chosen: 'Filters',
  choices: (count: string) => plural(count, 'value'),
  firstOf: (name: string, shown: string, all: string) => `${name} ${shown} of ${all} values; type to see others`,
  day: 'choose a day',
  none: 'No such value.',
  noValue: (filter: string) => `No row has ${filter}`,
  noDay: (filter: string) => `Not a day: ${filter} (write YYYY-MM-DD)`,
  edit: (filter: string) => `Change filter ${filter}`,
  remove: (filter: string) => `Remove filter ${filter}`,
  keys: 'Enter changes the filter, Delete removes it.',
  set: (filter: string) => `Filter set: ${filter}`,
  removed: (filter: string) => `Filter removed: ${filter}`,
  clear: 'Clear filters',
};
