// Texts of the parts that screens share.
import { plural } from '../plural';

export const parts = {
  table: {
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    all: (all: string) => plural(all, 'row'),
    select: 'Select',
    selectAll: 'Select all visible',
    stretch: 'Shift and click: every row from the last one',
    none: 'No items.',
    noMatch: 'No matches.',
    keys: 'Arrow keys move between rows, Enter opens, Space selects.',
  },
  chart: {
    asTable: 'Show as a table',
    save: (kind: string) => `Save as ${kind}`,
    saveName: (kind: string, label: string) => `Save “${label}” as ${kind}`,
    saved: (where: string) => `Saved: ${where}`,
  },
  remark: {
    tagsHint: 'separated by commas',
    knownTags: 'Tags in use',
  },
};
