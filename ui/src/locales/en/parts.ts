// Texts of the parts that screens share.
export const parts = {
  table: {
    columns: 'Columns',
    shown: (shown: string, all: string) => `${shown} of ${all}`,
    all: (all: string) => `${all} rows`,
    select: 'Select',
    selectAll: 'Select all shown',
    none: 'Nothing here.',
    noMatch: 'Nothing matches the filter.',
    keys: 'Arrow keys move between rows, Enter opens, Space selects.',
  },
  chart: {
    asTable: 'Show as a table',
    save: (kind: string) => `Save as ${kind}`,
    saveName: (kind: string, label: string) => `Save “${label}” as ${kind}`,
    saved: (where: string) => `Saved: ${where}`,
  },
  remark: {
    tags: 'Tags',
    note: 'Note',
    tagsHint: 'separated by commas',
    save: 'Save',
    cancel: 'Cancel',
  },
};
