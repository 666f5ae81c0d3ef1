//! Files of reports as they are read, held until it is known what belongs together.

use super::content::Content;
use super::scan::Candidate;
use koab_report::{CombinedRow, NoReport, ReadReport};
use std::path::PathBuf;

/// Rows of a combined summary, each read or not.
pub(super) type Rows = Vec<Result<CombinedRow, NoReport>>;

/// A combined summary: where it was found, its text, its rows.
pub(super) type Table = (String, Content, Rows);

pub(super) struct One {
    pub(super) path: PathBuf,
    pub(super) shown: String,
    pub(super) content: Content,
    pub(super) read: ReadReport,
}

impl One {
    pub(super) fn new(found: &Candidate, content: Content, read: ReadReport) -> Self {
        Self { path: found.path.clone(), shown: found.shown.clone(), content, read }
    }
}
