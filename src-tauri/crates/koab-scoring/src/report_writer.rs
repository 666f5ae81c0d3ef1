//! Writes a report to the disk: the published files, and this program's own file.

use koab_library::ReportView;
use koab_library::options::Formats;
use koab_library::reports::load::LoadedReport;
use koab_library::reports::report_file::ReportRecord;
use koab_library::reports::view::view;
use koab_report::{to_csv, to_json, to_markdown_of};
use koab_store::report_files::{self, ReportFolder, ReportTexts, WriteJson};
use koab_workspace::WireError;
use std::path::Path;

/// Writes a report to the folder with its id below `reports`. Returns the view of the report.
pub(super) fn write(
    reports: &Path,
    base_view: ReportView,
    whole: ReportRecord,
    formats: Formats,
    repeated: Option<&dyn WriteJson>,
) -> Result<ReportView, WireError> {
    let published = whole.published();
    let text_if = |is_wanted: bool, text: &dyn Fn() -> String| is_wanted.then(text);
    let json = text_if(formats.json, &|| to_json(&published));
    let csv = text_if(formats.csv, &|| to_csv(&published));
    let markdown = text_if(formats.markdown, &|| to_markdown_of(&published, base_view.benchmark.as_ref()));
    let own_text = whole.text(&base_view)?;
    let texts = ReportTexts {
        json: json.as_deref(),
        csv: csv.as_deref(),
        markdown: markdown.as_deref(),
        kept: Some(&own_text),
        repetitions: repeated,
    };
    let folder = ReportFolder { folder: reports.join(&base_view.id), id: base_view.id.clone() };
    report_files::write(&folder.folder, texts)?;
    let loaded = LoadedReport::made(base_view, whole, published);
    Ok(view(&folder, &loaded, loaded.kept_intervals()))
}
