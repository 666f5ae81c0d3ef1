//! Types of submissions to the leaderboard's maintainers.

use koab_bundle::submission::{FileEntry, Names, Objection};
use koab_core::sentence::Language;
use koab_report::comparability::Comparability;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Request for a submission: the run, and a person's statements about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionRequest {
    /// Id of a report or of a run, or `last` for the newest run.
    pub of: String,
    /// New statements (the model's name, licence, contact and so on), which are then saved. If
    /// null, the saved ones are used. Without saved ones, they are derived from the model's id.
    pub names: Option<Names>,
    /// Language of the README and the pull request; `null` means English with a summary in Korean.
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
    /// Id of the model as the run used it.
    pub model_id: String,
    /// Proposed name of the folder or file.
    pub name: String,
    /// Statements about the model that are derived from its id, such as its name and vendor.
    pub defaults: Names,
    /// Statements about the model that the submission contains, such as its name, licence and
    /// contact.
    pub names: Names,
    /// Headings of the leaderboard row, one per column.
    pub header: Vec<String>,
    /// Cells of the leaderboard row, one per column.
    pub cells: Vec<String>,
    /// Objections that a maintainer may have, the most serious first.
    pub objections: Vec<Objection>,
    /// Whether an objection blocks the submission.
    pub blocked: bool,
    /// Text of the README.
    pub readme: String,
    /// Title and body of the pull request.
    pub pull_request: String,
    /// Results file for the repository of the model's open weights; null for a model without open
    /// weights.
    pub eval_results: Option<String>,
    /// All files of the submission.
    pub files: Vec<FileEntry>,
    /// Comparability with the leaderboard.
    pub comparability: Comparability,
}

/// A submission that was written.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionSaved {
    /// Path of the folder or file.
    pub place: String,
    /// Id of the report.
    pub report: String,
    /// Number of files.
    pub files: u32,
    /// Size of all files in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Objections that a maintainer may have.
    pub objections: Vec<Objection>,
    /// Whether an objection blocks the submission.
    pub blocked: bool,
}

/// A submission as a ZIP file.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionArchive {
    /// Proposed name of the ZIP file.
    pub name: String,
    /// Content of the ZIP file in Base64.
    pub base64: String,
}

/// Result of validating a submission.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SubmissionCheck {
    /// Path of the folder or bundle.
    pub place: String,
    /// Number of files that were read.
    pub files: u32,
    /// Objections that a maintainer may have, the most serious first.
    pub objections: Vec<Objection>,
    /// Whether an objection blocks the submission.
    pub blocked: bool,
}
