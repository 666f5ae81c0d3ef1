//! Files for a leaderboard in a bundle: opaque here, held to their hashes, and handed to whoever knows what they say.

use koab_core::bundle::{Findings, Recomputed};
use koab_core::score::Scorer;
use koab_core::submission::{Files, of_bundle};
use koab_store::bundle_file::{BundleFile, LIMITS};
use std::collections::BTreeMap;
use std::path::Path;

/// Files below `submission/`, by what their name is there.
pub type SubmissionFiles = BTreeMap<String, Vec<u8>>;

/// Holds the files for a leaderboard against the reports that were scored again. Failures go to the findings.
pub type Recheck = fn(&SubmissionFiles, &BTreeMap<Scorer, Recomputed>, &mut Findings);

/// Who is asked, in this order. A feature that puts files there adds its own check.
pub(super) const RECHECKS: &[Recheck] = &[koab_core::submission::recheck];

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

/// The submission in a bundle, in the layout that it would have in a folder; `None` when there is none that can be read.
pub(crate) fn submission_in(path: &Path) -> Option<Files> {
    let mut file = BundleFile::open(path, LIMITS).ok()?;
    of_bundle(|name| {
        file.stated(name)?;
        file.read(name, LIMITS.file_bytes).ok()
    })
}
