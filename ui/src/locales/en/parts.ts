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
    keys: 'Arrow keys or J and K move between rows, Enter opens, Space selects.',
    resize: 'Drag to change the width; click twice to reset it',
    pin: 'Keep in view',
    resetColumns: 'Reset widths and pins',
    link: {
      action: (row: string) => `Copy the address of this row: ${row}`,
      key: 'Y copies the address of the row.',
      outcome: { copied: (row: string) => `Address copied: ${row}`, failed: (row: string) => `Not copied: ${row}` },
    },
    ticked: (count: string) => `${count} selected`,
    hidden: (count: string) => `${count} of them not shown`,
    untick: 'Clear selection',
    copy: {
      action: 'Copy',
      hint: 'Copy this table as text',
      kinds: { tsv: 'For a spreadsheet (TSV)', markdown: 'Markdown table', latex: 'LaTeX table (booktabs)' },
    },
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
