import { plural } from '../plural';
import type { AdaptiveStanding } from '../../features/adaptive/standing';

export const adaptive = {
  title: 'Adaptive runs',
  intro: 'Each estimates what a run of all tasks would give, from its most informative tasks.',
  start: 'New run…',
  none: {
    title: 'No adaptive run yet',
    body: 'Choose “Adaptive” as the scope of a new run: it runs the most informative tasks first, until the interval of the SR over all tasks is as narrow as you asked for.',
  },
  list: {
    estimate: 'Estimate',
    of: (asked: string, items: string) => `${asked} of ${items}`,
  },
  standings: {
    under: 'in progress',
    reached: 'complete',
    stopped: 'ended early',
    open: 'unfinished',
  } satisfies Record<AdaptiveStanding, string>,
  page: {
    back: 'All adaptive runs',
    remove: 'Remove…',
    removeTitle: 'Remove this adaptive run from the list?',
    removeBody: 'Its runs and reports stay.',
    far: (asked: string, expected: string) => `${asked} of about ${plural(expected, 'task')}`,
    stopped: 'Ended early:',
    open: 'It has not ended: another process is running it, or it was interrupted. Its runs so far are kept.',
    estimate: 'Estimate',
    nothing: 'No task has a score yet.',
    soFar: 'so far',
    never: 'Never used for submissions: the tasks were chosen, so this is not the score of a full run.',
    of: 'Estimates',
    whole: (items: string, pack: string) => `a run of all ${plural(items, 'task')} of ${pack}`,
    from: (items: string, pack: string, asked: string, models: string) =>
      `Estimate of a run of all ${plural(items, 'task')} of ${pack}, from ${plural(asked, 'task')} and the reports of ${plural(models, 'other model')}.`,
    wished: 'Target half-width (points)',
    expected: 'Tasks expected',
    models: 'Task difficulty from',
    tasks: 'Tasks run',
    solved: 'Solved',
    unsolved: 'Not solved',
    runs: 'Runs',
    partOf: (model: string) => `Part of the adaptive run of ${model}`,
  },
};
