import { plural } from '../plural';

export const verify = {
  title: 'Bundle',
  back: 'Reports',
  ok: 'Bundle verified.',
  okMeans: 'Its numbers are reproduced bit for bit from the logs, verdicts and tasks in it.',
  failed: (count: string) =>
    count === '1' ? 'Verification failed: 1 mismatch.' : `Verification failed: ${count} mismatches.`,
  failedMeans: 'The file was damaged or changed, so nothing is imported.',
  protocols: { leaderboard: 'leaderboard', corrected: 'corrected rules' },
  elsewhere: 'unknown: imported run',
  noHitRate: 'no cache lookups, or an imported run',
  madeBy: 'Created with',
  signature: 'Signature',
  signatures: {
    unsigned: 'not signed: author unknown',
    signed: 'signed with this key; verify whose it is:',
    trusted: 'signed with the requested key:',
    refused: 'no valid signature of the requested key',
  },
  copyKey: 'Copy key',
  again: 'Recomputed',
  counts: (values: string, reports: string, judged: string) =>
    `${plural(values, 'value')} of ${plural(reports, 'report')}, ${judged} of them from verdicts.`,
  looked: (files: string, tasks: string, calls: string, verdicts: string) =>
    `Checked ${plural(files, 'file')}, ${plural(tasks, 'task')}, ${plural(calls, 'tool call')} and ${plural(verdicts, 'verdict')}.`,
  take: 'Import this run and its reports',
  taking: 'Importing…',
  key: 'Required signing key',
  checks: 'Checks',
  states: { error: 'Failed', note: 'Not checkable', pass: 'Passed' },
  names: {
    container: 'Archive',
    manifest: 'Manifest',
    files: 'Files',
    signature: 'Signature',
    pack: 'Tasks and tools',
    run: 'Run description',
    journal: 'Journal',
    logs: 'Level logs',
    calls: 'Tool responses',
    verdicts: 'Verdicts',
    reports: 'Reports',
    subject: 'Summary',
    submission: 'Submission',
  },
  more: (count: string) => `${plural(count, 'more mismatch', 'more mismatches')} not listed.`,
  proves:
    'This proves that the numbers belong to the transcripts and verdicts in the file. It does not prove that the model really produced them: an invented run with a matching journal can verify too. A signature shows who vouches for it.',
};
