// A report in a comparison, for the tests of this screen.
import type { ComparedReport } from '../../ipc/gen';

export const comparedReport = (id: string, more: Partial<ComparedReport> = {}): ComparedReport => ({
  id,
  model: id.toUpperCase(),
  name: id.toUpperCase(),
  execution_date: null,
  run: null,
  has_tasks: true,
  tokens_per_task: null,
  seconds_per_task: null,
  usd: null,
  usd_spent: false,
  usd_reason: null,
  standing: { leaderboard: 'limited', with_first: null },
  ...more,
});
