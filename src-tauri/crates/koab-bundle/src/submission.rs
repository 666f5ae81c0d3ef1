//! What is handed to the maintainers of the leaderboard: the row, the report files, the logs, and
//! what they are told about them; and what a maintainer would object to.
//!
//! Pure: a submission is a list of files by path ([`Files`]), whether it lies in a folder, in a
//! container or in memory. [`write`] makes what is not the run's own; [`check`] reads all of it
//! again, believes nothing that it can compute itself, and says what stands in the way
//! ([`Objection`]). Gathering a run's files and putting them somewhere is `koab-api`'s.
//! `docs/design/submission.md` has the reasons.

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

/// Adds to a run's report files and logs what a submission has beside them.
///
/// The row, the description with the hash of every file, the README, the text of the pull request
/// and, for open weights in a repository of the hub, its results.
///
/// # Errors
/// When the summary among the files is none.
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
    // Without its own hash: it tells what is open, which is known only when everything else is
    // there.
    files.put(paths::PULL_REQUEST, pull_request(&submission, report, &open, language));
    submission.files = files.entries();
    files.put(paths::SUBMISSION, submission.to_json());
    Ok(submission)
}
