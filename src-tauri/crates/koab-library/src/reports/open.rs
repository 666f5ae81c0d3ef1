//! A report that remains in memory while the user views it.

use crate::reports::load::LoadedReport;
use crate::wire::ReportDetail;
use koab_report::interval::Intervals;
use koab_store::report_files::ReportFolder;

/// Number of opened reports in memory. Returning to one of them reads no files.
pub(crate) const OPENED: usize = 16;

/// A report with its figures. It is valid as long as its files do not change.
pub struct Open {
    /// The report's folder.
    pub folder: ReportFolder,
    /// The report as it was read from its files.
    pub loaded: LoadedReport,
    /// Intervals of the report's figures.
    pub intervals: Intervals,
    /// Content of the report's page.
    pub detail: ReportDetail,
}
