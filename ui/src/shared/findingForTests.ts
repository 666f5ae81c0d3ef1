import type { Finding } from '../ipc/gen';

/** A finding of which only what a test is about is given. */
export const findingForTests = <C>(given: Partial<Finding<C>> & Pick<Finding<C>, 'code'>): Finding<C> => ({
  severity: 'error',
  file: null,
  line: null,
  line_end: null,
  task: null,
  field: null,
  sentence: '',
  remedy: '',
  ...given,
});
