//! Exports a report as a file: a published file unchanged, or one page that contains everything.

use crate::Library;
use crate::comparability::beside;
use crate::reports::repetitions::{self, composites, stored};
use crate::wire::{ReportFile, ReportFormat};
use koab_core::say;
use koab_core::sentence::Language;
use koab_report::comparability::Comparability;
use koab_report::page;
use koab_store::report_files;
use koab_workspace::WireError;

impl Library {
    /// Returns a report in a format. Published files are returned byte for byte.
    ///
    /// # Errors
    /// When the report does not exist, or does not have the requested file.
    pub fn report_export(
        &self,
        id: &str,
        format: ReportFormat,
        language: &str,
    ) -> Result<ReportFile, WireError> {
        let folder = self.report_folder(id)?;
        let (file, ending, media) = match format {
            ReportFormat::Json => (report_files::JSON, "json", "application/json"),
            ReportFormat::Csv => (report_files::CSV, "csv", "text/csv"),
            ReportFormat::Md => (report_files::MARKDOWN, "md", "text/markdown"),
            ReportFormat::Html => {
                let open = self.open_report(id)?;
                let language = Language::of_locale(language);
                let comparability = Comparability::from_facts(self.facts_of_open(&open));
                let notes = self.report_detail(id)?.view.notes;
                return Ok(ReportFile {
                    name: format!("{id}.html"),
                    media: "text/html".to_owned(),
                    text: page(
                        &open.loaded.report,
                        &composites(&open),
                        &notes,
                        Some(&comparability),
                        stored(&open)?.as_ref().map(|(attempts, summary)| (attempts, summary)),
                        open.detail.view.benchmark.as_ref(),
                        language,
                    ),
                    beside: Vec::new(),
                });
            }
        };
        let content = report_files::file(&folder.folder, file)?.ok_or_else(|| {
            WireError::not_found(say!(
                "report {id} has no {file}; score its run again with `koab score --format {ending}`"
            ))
        })?;
        let comparability = self.report_comparability(id)?;
        let open = self.open_report(id)?;
        let beside = [
            beside(&comparability, id, format, language)?,
            repetitions::beside(&open, id, format, language)?,
        ];
        Ok(ReportFile {
            beside: beside.into_iter().flatten().collect(),
            name: format!("{id}.{ending}"),
            media: media.to_owned(),
            text: String::from_utf8(content)
                .map_err(|_| WireError::bad_file(say!("{file} of report {id} is not UTF-8 text")))?,
        })
    }
}
