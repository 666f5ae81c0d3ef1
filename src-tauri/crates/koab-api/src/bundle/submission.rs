//! Files for a leaderboard in a bundle: opaque here, held to their hashes, and handed to whoever knows what they say.

use koab_core::bundle::{Findings, Recomputed};
use koab_core::score::Scorer;
use std::collections::BTreeMap;

/// Files below `submission/`, by what their name is there.
pub type SubmissionFiles = BTreeMap<String, Vec<u8>>;

/// Holds the files for a leaderboard against the reports that were scored again. Failures go to the findings.
pub type Recheck = fn(&SubmissionFiles, &BTreeMap<Scorer, Recomputed>, &mut Findings);

/// Who is asked, in this order. A feature that puts files there adds its own check.
pub(super) const RECHECKS: &[Recheck] = &[];

/// Asks all of them.
pub(super) fn check(
    files: &SubmissionFiles,
    reports: &BTreeMap<Scorer, Recomputed>,
    findings: &mut Findings,
) {
    for recheck in RECHECKS {
        recheck(files, reports, findings);
    }
}
