//! A report as it is kept while somebody looks at it.

use crate::reports::load::LoadedReport;
use crate::wire::ReportDetail;
use koab_report::interval::Intervals;
use koab_store::report_files::ReportFolder;

/// Reports that are kept when they were opened, so that going back to one reads nothing.
pub(crate) const OPENED: usize = 16;

/// A report with its numbers, as long as its files are the same.
pub struct Open {
    /// Its folder.
    pub folder: ReportFolder,
    /// What its files say.
    pub loaded: LoadedReport,
    /// Intervals of its figures.
    pub intervals: Intervals,
    /// Its page.
    pub detail: ReportDetail,
}
