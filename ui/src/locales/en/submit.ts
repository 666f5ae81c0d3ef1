// Handing a result to the maintainers of the leaderboard.
import { plural } from '../plural';

const SAVE_AGAIN = 'Prepare the submission again: save it once more.';

export const submit = {
  open: 'Submit…',
  title: (model: string) => `Submit ${model} to the leaderboard`,
  back: 'Back to the report',
  steps: { what: 'Contents', names: 'Names', check: 'Check', save: 'Save' },
  stepsLabel: 'Steps of the submission',
  previous: 'Back',
  what: {
    intro:
      'The row of the combined table, the report and the logs as the run wrote them, and a pull request text. Nothing is sent anywhere.',
    standing: 'Open issues',
    clean: 'No expected objections from a maintainer.',
    counted: (blocks: string, asked: string) => `${blocks} blocking, ${asked} that the maintainers will ask about`,
  },
  names: {
    intro: 'How the leaderboard shows the model, and the contact. Saved for the next time.',
    vendor: 'Vendor',
    types: { API: 'closed (API)', OSS: 'open (OSS)' },
    noType: 'Not set',
    licence: 'Weights licence',
    repo: 'Hub repository (owner/name)',
    by: 'Submitted by',
    contact: 'Contact',
    source: 'Transcripts URL',
    notes: 'Method notes',
    reset: 'Use the proposed names',
    row: 'Leaderboard row',
    column: 'Column',
    empty: 'no value',
    saving: 'Saving…',
    kept: 'Saved',
  },
  check: {
    clean:
      'No objections: levels, tasks, tool descriptions, prompts, cache, judge, logs and scores match the leaderboard.',
    severity: { error: 'blocking', warning: 'maintainers will ask' },
    /** What to do, as in `comparability.fixes`, about what only a submission has. */
    fixes: {
      missing_name: 'Fill it in under Names.',
      edited_report: 'Score the run again.',
      changed_file: SAVE_AGAIN,
      missing_file: SAVE_AGAIN,
      edited_row: SAVE_AGAIN,
      edited_facts: SAVE_AGAIN,
    },
    toNames: 'Go to the names',
    toRun: 'Go to the run',
    toMisses: 'Go to the cache misses',
    toPacks: 'Go to the packs',
    again: 'Check again',
  },
  save: {
    intro:
      'A bundle is one self-verifying file: row, report and logs, plus the data to recompute the numbers. A folder has the layout of the published repository, to be copied into a checkout of it.',
    bundle: 'Save as a bundle (.koab)…',
    bundleHint: 'Recomputed before saving; anyone can verify it offline',
    sign: 'Sign',
    signHint: 'Uses your signing key',
    busy: 'Saving; a bundle is recomputed first…',
    folder: 'Save as a folder…',
    pick: 'Choose where to save the folder',
    zip: 'Save as a ZIP file…',
    saved: (place: string) => `Saved: ${place}`,
    blocked: (count: string) =>
      `${plural(count, 'blocking issue')} open. The files are written anyway, and the pull request text lists them.`,
    texts: 'Text language',
    both: 'English with a Korean summary',
    pullRequest: 'Pull request text',
    copyPullRequest: 'Copy pull request text',
    readme: 'README',
    evalResults: 'Results for the model’s Hugging Face repository',
    copyEvalResults: 'Copy results',
    size: 'Size',
  },
  combine: {
    button: 'Combined table…',
    title: (count: string) => `Combined table of ${plural(count, 'report')}`,
    body: 'One row per report, with the columns of the published table.',
    names: 'Names',
    namings: {
      published: 'as in the published script',
      leaderboard: 'short, as on the leaderboard',
      plain: 'short, column typos fixed',
    },
    order: 'Order',
    orders: { folder: 'by folder', name: 'by model', success: 'by success rate', given: 'selection order' },
    save: 'Save…',
    saved: (place: string) => `Saved: ${place}`,
  },
};
