//! A report of another benchmark that was computed again from the logs of a run.

use crate::reports::figures::drawn_at_once;
use crate::reports::report_file::ReportRecord;
use crate::reports::view::bare;
use crate::wire::ReportView;
use koab_core::score::MetricSet;
use koab_report::Evaluated;
use koab_workspace::WireError;

/// Returns the content of this program's own report file for a report whose published files already
/// exist.
///
/// # Errors
/// When the content cannot be written as JSON.
pub fn kept_of(run: &str, pack: &str, evaluated: Evaluated) -> Result<String, WireError> {
    let Evaluated { report, items, tables } = evaluated;
    let base_view = ReportView {
        run: Some(run.to_owned()),
        pack: Some(pack.to_owned()),
        benchmark: tables,
        ..bare(&report)
    };
    let intervals = drawn_at_once(&report);
    ReportRecord::new(report, None, intervals, MetricSet::Head).with_items(items).text(&base_view)
}
