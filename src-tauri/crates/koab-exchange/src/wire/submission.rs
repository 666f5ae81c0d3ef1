//! What is handed to the maintainers of the leaderboard.

use koab_bundle::submission::{FileEntry, Names, Objection};
use koab_core::sentence::Language;
use koab_report::comparability::Comparability;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which run, and what a person says of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionRequest {
    /// Id of a report or of a run, or `last` for the newest run.
    pub of: String,
    /// Names from now on; null keeps those that were given before, else those that the model's id
    /// tells.
    pub names: Option<Names>,
    /// Language of README and pull request; `null` means English with a summary in Korean.
    pub language: Option<Language>,
}

/// A submission before it is handed in.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionView {
    /// Id of the report.
    pub report: String,
    /// Id of the run.
    pub run: String,
    /// The model's id as it was run.
    pub model_id: String,
    /// Name to propose for folder or file.
    pub name: String,
    /// What is known of the names without asking anybody.
    pub defaults: Names,
    /// The names as they are.
    pub names: Names,
    /// Columns of the row.
    pub header: Vec<String>,
    /// Its cells, as many.
    pub cells: Vec<String>,
    /// What a maintainer would object to, the gravest first.
    pub objections: Vec<Objection>,
    /// Whether one of them blocks.
    pub blocked: bool,
    /// The README.
    pub readme: String,
    /// Title and body of the pull request.
    pub pull_request: String,
    /// Results for the repository of open weights; null when there is none.
    pub eval_results: Option<String>,
    /// Every file.
    pub files: Vec<FileEntry>,
    /// How it can be compared with the leaderboard.
    pub comparability: Comparability,
}

/// A submission that was written.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionSaved {
    /// Where.
    pub place: String,
    /// Id of the report.
    pub report: String,
    /// Files.
    pub files: u32,
    /// Bytes of all.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What a maintainer would object to.
    pub objections: Vec<Objection>,
    /// Whether one of them blocks.
    pub blocked: bool,
}

/// A submission as a file.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionArchive {
    /// Name to propose.
    pub name: String,
    /// Its bytes in base64.
    pub base64: String,
}

/// What a look at a submission found.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionCheck {
    /// Where it lies.
    pub place: String,
    /// Files that were read.
    pub files: u32,
    /// What a maintainer would object to, the gravest first.
    pub objections: Vec<Objection>,
    /// Whether one of them blocks.
    pub blocked: bool,
}
