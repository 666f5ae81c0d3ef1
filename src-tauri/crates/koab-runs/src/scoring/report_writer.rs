//! A report goes to the disk: the published files, and what this product keeps of it.

use crate::options::Formats;
use crate::reports::load::LoadedReport;
use crate::reports::report_file::ReportRecord;
use crate::reports::view::view;
use crate::wire::{ReportView, WireError};
use koab_report::{to_csv, to_json, to_markdown_of};
use koab_store::report_files::{self, ReportFolder, ReportTexts, WriteJson};
use std::path::Path;

/// Writes a report below `reports`, into a folder of its id, and shows it.
pub(super) fn write(
    reports: &Path,
    known: ReportView,
    whole: ReportRecord,
    formats: Formats,
    repeated: Option<&dyn WriteJson>,
) -> Result<ReportView, WireError> {
    let published = whole.published();
    let wanted = |wanted: bool, text: &dyn Fn() -> String| wanted.then(text);
    let json = wanted(formats.json, &|| to_json(&published));
    let csv = wanted(formats.csv, &|| to_csv(&published));
    let markdown = wanted(formats.markdown, &|| to_markdown_of(&published, known.benchmark.as_ref()));
    let kept = whole.text(&known)?;
    let texts = ReportTexts {
        json: json.as_deref(),
        csv: csv.as_deref(),
        markdown: markdown.as_deref(),
        kept: Some(&kept),
        repetitions: repeated,
    };
    let folder = ReportFolder { folder: reports.join(&known.id), id: known.id.clone() };
    report_files::write(&folder.folder, texts)?;
    let loaded = LoadedReport::made(known, whole, published);
    Ok(view(&folder, &loaded, loaded.kept_intervals()))
}
