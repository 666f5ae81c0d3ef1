//! Files of reports. An import holds them in memory until it knows which files belong together.

use super::content::Content;
use super::scan::Candidate;
use koab_report::{CombinedRow, NoReport, ReadReport};
use std::path::PathBuf;

/// Rows of a combined summary. A row that cannot be parsed is replaced by the reason.
pub(super) type Rows = Vec<Result<CombinedRow, NoReport>>;

/// A combined summary: its displayed path, content and rows.
pub(super) type Table = (String, Content, Rows);

/// A report or a summary, with the file that contains it.
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
