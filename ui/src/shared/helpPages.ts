// The pages of the guide, in the order in which somebody new needs them, and which of them helps with an area.

/** File names in `docs/guide/<language>`. The first lists the others. */
export const HELP_PAGES = [
  'README',
  'first-run',
  'connect-models',
  'read-a-report',
  'compare',
  'judge-well',
  'submit',
  'scenarios',
  'local-models',
  'ci',
  'cluster',
  'write-a-pack',
  'for-agents',
  'measure-an-agent',
  'record-a-server',
  'other-benchmarks',
] as const;

export type HelpPage = (typeof HELP_PAGES)[number];

/** By the first segment of an address. */
const OF_AREA: Record<string, HelpPage> = {
  runs: 'first-run',
  sweeps: 'ci',
  adaptive: 'ci',
  forks: 'read-a-report',
  reports: 'read-a-report',
  compare: 'compare',
  atlas: 'compare',
  find: 'read-a-report',
  judging: 'judge-well',
  tasks: 'write-a-pack',
  packs: 'write-a-pack',
  drafts: 'write-a-pack',
  models: 'connect-models',
  agents: 'measure-an-agent',
  scenarios: 'scenarios',
  trash: 'read-a-report',
};

export const helpOf = (area: string): HelpPage => OF_AREA[area] ?? 'README';
