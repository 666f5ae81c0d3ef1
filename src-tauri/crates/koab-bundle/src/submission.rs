//! Submissions: files for the maintainers of the leaderboard, and the objections that a maintainer
//! would have.
//!
//! A submission contains the model's row of the leaderboard's table, the report files, the logs,
//! and texts about them.
//!
//! This module is pure: a submission is a list of files by path ([`Files`]), whether it is in a
//! folder, in an archive or in memory. [`write`] creates the files that are not the run's own.
//! [`check`] reads all files again, recomputes the numbers, and returns each [`Objection`].
//! `koab-api` collects the files of a run and stores them. `docs/design/submission.md` explains the
//! design.

mod document;
mod eval_results;
mod files;
mod in_bundle;
mod names;
mod objections;
mod row;
mod texts;

pub use document::{
    CallSums, FORMAT, FileEntry, JudgedBy, LevelResults, Methodology, Submission, Times, Verification,
    Versions,
};
pub use eval_results::{DATASET, eval_results};
pub use files::{Files, entry, paths};
pub use in_bundle::{FOLDER, of_bundle, own_files, recheck};
pub use names::{ModelType, Names};
pub use objections::{Objection, PREPARE_AGAIN, check};
pub use row::{Row, row};
pub use texts::{pull_request, readme};

use koab_core::sentence::Language;
use koab_report::{CombineError, Report};

/// Adds the remaining files of a submission to the report files and logs of a run.
///
/// These are the row, the description with the hash of every file, the README, the text of the pull
/// request and, for open weights in a repository of the hub, its results.
///
/// # Errors
/// When `evaluation_summary.csv` among the files is not a valid summary.
pub fn write(
    files: &mut Files,
    submission: &Submission,
    report: &Report,
    language: Option<Language>,
) -> Result<Submission, CombineError> {
    let mut submission = submission.clone();
    if let Some((path, bytes)) = files.find(paths::REPORTS, paths::SUMMARY) {
        let folder = paths::parent(&path).to_owned();
        let row = row(&folder, &String::from_utf8_lossy(bytes), &submission.names)?;
        files.put(paths::ROW, row.csv);
    }
    if let Some(yaml) = eval_results(&submission, report) {
        files.put(paths::EVAL_RESULTS, yaml);
    }
    files.put(paths::README, readme(&submission, report, language));
    submission.files = files.entries();
    let open: Vec<Objection> = {
        let mut whole = files.clone();
        whole.put(paths::SUBMISSION, submission.to_json());
        check(&whole, None)
    };
    // The pull request is not in the list of hashes that it is checked with: it lists open
    // objections, which are known only when all other files exist.
    files.put(paths::PULL_REQUEST, pull_request(&submission, report, &open, language));
    submission.files = files.entries();
    files.put(paths::SUBMISSION, submission.to_json());
    Ok(submission)
}
