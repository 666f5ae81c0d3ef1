import { plural } from '../plural';

const RULES = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINAL = { zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' };

export const references = {
  about: (count: string) => `${plural(count, 'published report')} as reference; new reports appear among them.`,
  none: 'Compare your reports with the published ones: import a checkout of the published repository, its archive, or its folder “reports” as the reference set.',
  import: 'Import published reports as reference',
  choose: 'Choose a checkout, its archive or its reports folder',
  folder: 'Reference from a folder…',
  archive: 'Reference from an archive…',
  hint: 'Only reports are imported; tasks and logs of a checkout are not.',
  busy: 'Importing…',
  taken: (count: string) => `${plural(count, 'report')} in the reference set.`,
  nothing: 'No reports found.',
  remove: 'Remove set…',
  removeTitle: (count: string) => `Remove ${plural(count, 'report')} of the reference set?`,
  removeBody: 'They move to the workspace trash and can be restored for 30 days. Your own reports remain.',
  removeConfirm: 'Remove',
  sets: { reference: 'reference set', own: 'other reports' },
  among: 'Among the published models',
  place: (rank: string, of: string) => `${rank}${ORDINAL[RULES.select(Number(rank))]} of ${of}`,
  placedHint: (of: string) => `Among the ${of} reports that are the published models and this one`,
  noPlace: 'no rank',
  this: 'this report',
  success: 'Success rate (SR), all tasks',
  overlap: 'Lines are 95 % intervals. Where they overlap widely, the order may be due to chance; Compare tests pairs.',
  leftOut: (count: string) => `${plural(count, 'reference')} not ranked here`,
  compare: 'Compare with the reference set',
  withSet: 'With the reference set',
};
