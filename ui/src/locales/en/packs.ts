import { plural } from '../plural';

export const packs = {
  imported: (name: string, records: string, seconds: string) =>
    `${name} installed with ${plural(records, 'cached response')} (${seconds} s).`,
  starter: 'Restore starter pack',
  list: 'Installed packs',
  columns: {},
  active: 'active',
  use: 'Use for runs',
  remove: 'Remove…',
  empty: 'No pack installed. Import the published benchmark as a folder or archive, or restore the starter pack.',
  parts: 'Pack details',
  tabs: { overview: 'Overview', problems: 'Problems' },
  toTasks: 'Show tasks',
  overview: {
    title: 'Title',
    imported: 'Imported',
    flags: 'Flagged tasks',
    benchmark: 'Benchmark',
    groups: 'Items by group',
    other:
      'Items of another benchmark, each of which is one request: choose the pack in the form of a new run. Replies made elsewhere are scored on the command line (guide: Other benchmarks).',
  },
  notStated: 'not stated',
  standing: {
    kept: 'stored',
    current: 'match the current tool definition',
    stale: 'from an earlier tool definition',
    orphan: 'tool not in the pack',
    answering: 'distinct calls answered',
  },
  problems: {
    none: 'No problems found at import.',
    about: 'Problems in the data. Nothing is corrected: a corrected task would be a different task.',
    kept: 'used anyway',
  },
  cache: {
    tools: 'Tools in the cache',
    current: 'Current',
    stale: 'Stale',
    orphan: 'Orphaned',
    answering: 'Calls answered',
    none: 'The cache of this pack is empty, so every tool call of a run is a cache miss.',
    readOnly: 'Runs read the cache and never change it. What live APIs answer is saved beside the pack.',
    lookup: 'Look up a call',
    asJson: 'Edit as JSON',
    asFields: 'Edit as form',
    time: 'Lookup time',
    timeAbout: 'Looks up every cached call once, as a run does.',
    measure: 'Measure',
    measuring: 'Measuring…',
    times: (calls: string, p50: string, p99: string, max: string) =>
      `${plural(calls, 'call')}: median ${p50} µs, p99 ${p99} µs, max ${max} µs`,
  },
  removal: {
    title: (name: string) => `Remove pack ${name}?`,
    body: (tasks: string, records: string) =>
      `It moves to the workspace trash with ${plural(tasks, 'task')} and ${plural(records, 'cached response')}, and can be restored for 30 days.`,
    runs: (count: string) =>
      `${plural(count, 'run')} of this pack cannot be scored or resumed until it is restored or imported again; their files remain.`,
    versions: (count: string) =>
      `With it ${String(count) === '1' ? 'goes' : 'go'} ${plural(count, 'earlier version')}.`,
    flags: (count: string) => `Keeps ${plural(count, 'task flag')} for a later import.`,
    next: (name: string) => `Later runs use ${name}.`,
    last: 'No other pack is installed; nothing can be run until one is imported.',
    starter: 'The starter pack can be restored at any time.',
    confirm: 'Remove pack',
  },
};
