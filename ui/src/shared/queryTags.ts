// What the engine's answers are about: whoever changes something names it, and what is shown of it is asked for again.
import type { Commands } from '../ipc/gen';

export type Tag =
  | 'runs'
  | 'reports'
  | 'packs'
  | 'drafts'
  | 'snapshots'
  | 'models'
  | 'agents'
  | 'keys'
  | 'judging'
  | 'forks'
  | 'sweeps'
  | 'adaptive'
  | 'scenarios'
  | 'settings';

/** Reports depend on their runs, and what is shown of reports on both. */
const OF_REPORTS: readonly Tag[] = ['reports', 'runs', 'judging'];

const TAGS: Partial<Record<keyof Commands, readonly Tag[]>> = {
  runs_list: ['runs'],
  run_remote: ['runs'],
  run_tasks: ['runs', 'judging'],
  run_conduct: ['runs'],
  run_comparability: OF_REPORTS,
  reports_library: OF_REPORTS,
  report_detail: OF_REPORTS,
  report_facts: OF_REPORTS,
  report_comparability: OF_REPORTS,
  report_standing: OF_REPORTS,
  imported_reports: ['reports', 'runs'],
  other_instructions: [...OF_REPORTS, 'packs'],
  report_repetitions: OF_REPORTS,
  references: ['reports'],
  task_show: ['packs', 'drafts'],
  compare: OF_REPORTS,
  compare_pairs: OF_REPORTS,
  compare_across: OF_REPORTS,
  compare_ranks: OF_REPORTS,
  compare_matrix: OF_REPORTS,
  adaptive_list: ['adaptive', 'runs'],
  adaptive_show: ['adaptive', 'runs'],
  adaptive_plan: [...OF_REPORTS, 'packs'],
  sweeps_list: ['sweeps', 'runs'],
  sweep_show: ['sweeps', ...OF_REPORTS],
  sweep_plan: ['runs', 'packs', 'models', 'reports'],
  atlas: OF_REPORTS,
  atlas_attempt: OF_REPORTS,
  judge_lab: OF_REPORTS,
  verdicts_of_task: ['judging'],
  verdict_overrides: ['judging'],
  queues_list: ['judging', 'runs'],
  transcript: OF_REPORTS,
  packs_list: ['packs', 'drafts'],
  pack_view: ['packs', 'drafts'],
  pack_tools: ['packs', 'drafts'],
  recording_of: ['packs'],
  published_list: ['packs'],
  published_view: ['packs'],
  tasks_list: ['packs', 'drafts'],
  task_flags: ['packs'],
  drafts_list: ['drafts', 'packs'],
  snapshots_list: ['snapshots', 'packs'],
  snapshots_all: ['snapshots', 'packs'],
  models_list: ['models', 'keys'],
  agents_list: ['agents'],
  agent_row: ['agents'],
  local_list: ['models'],
  keys_list: ['keys'],
  prices_list: ['models'],
  settings_get: ['settings'],
  forks_list: ['forks', 'runs'],
  scenario_results: ['scenarios'],
};

/** None: the answer changes with its question alone. */
export const tagsOf = (command: keyof Commands): readonly Tag[] => TAGS[command] ?? [];
