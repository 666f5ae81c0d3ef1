import { plural } from '../plural';

/** What can be changed of a run under way. */
export const changes = {
  action: 'Change…',
  title: 'Change the running run',
  about:
    'What is left empty stays as it is. Attempts in flight keep their limits. Each change is recorded with the run.',
  fields: {
    concurrency: 'Concurrency',
    timeout: 'Time limit of an attempt (s)',
    max_steps: 'Model turns of an attempt',
    max_cost: 'Budget (USD)',
    max_total_tokens: 'Token budget',
    base_url: 'Address of the model server',
    judges: 'Judges after the run',
    leave_out: 'Leave out tasks that have not begun',
  },
  unchanged: 'unchanged',
  noCap: 'Remove the budget',
  apply: 'Change',
  nothing: 'Nothing is changed yet.',
  retryAll: (count: string) => `Retry ${count} failed`,
  failed: 'Failed attempts',
  retry: 'Retry',
  retryOf: (task: string) => `Retry: ${task}`,
  history: 'Changes while running',
  none: 'none',
  line: {
    concurrency: (from: string, to: string) => `Concurrency ${from} → ${to}`,
    timeout: (from: string, to: string) => `Time limit of an attempt (s) ${from} → ${to}`,
    max_steps: (from: string, to: string) => `Model turns of an attempt ${from} → ${to}`,
    max_cost: (from: string, to: string) => `Budget ${from} → ${to}`,
    max_total_tokens: (from: string, to: string) => `Token budget ${from} → ${to}`,
    base_url: (from: string, to: string) => `Address ${from} → ${to}`,
    judges: (from: string, to: string) => `Judges ${from} → ${to}`,
    leave_out: (_: string, to: string) => `Left out: ${to}`,
    retry: (_: string, to: string) => `Retried: ${to}`,
  },
  after: (count: string) => `after ${plural(count, 'attempt')}`,
};
