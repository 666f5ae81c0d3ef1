//! Files of reports, held in memory until it is known which belong together.

use super::content::Content;
use super::scan::Candidate;
use koab_report::{CombinedRow, NoReport, ReadReport};
use std::path::PathBuf;

/// Rows of a combined summary; each is parsed or has a reason why not.
pub(super) type Rows = Vec<Result<CombinedRow, NoReport>>;

/// A combined summary: its place, content and rows.
pub(super) type Table = (String, Content, Rows);

/// A report or summary with the file that it was read from.
pub(super) struct ReadFile {
    pub(super) path: PathBuf,
    pub(super) shown: String,
    pub(super) content: Content,
    pub(super) read: ReadReport,
}

impl ReadFile {
    pub(super) fn new(found: &Candidate, content: Content, read: ReadReport) -> Self {
        Self { path: found.path.clone(), shown: found.shown.clone(), content, read }
    }
}
