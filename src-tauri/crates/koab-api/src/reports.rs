//! Reports that the workspace keeps, and the combined table of a folder of reports.

use crate::Api;
use crate::import::table_text;
use crate::report_view::{in_order, published_view, shown_for, with_intervals};
use crate::wire::{ErrorCode, ReportFile, ReportView, WireError};
use koab_core::comparability::Comparability;
use koab_core::report::{
    CombinedNames, CombinedOrder, CombinedTable, ReadReport, combine_ordered, read_combined, read_json,
    read_summary,
};
use koab_store::intake::Origin;
use koab_store::report_files;
use serde::Serialize;
use std::path::Path;

/// Whether a folder's name is that of a corrected, partial or unjudged report: those have words behind their date
/// (`evaluate.rs`, `report_name`).
fn is_narrower(name: &str) -> bool {
    name.rsplit_once('_').is_some_and(|(_, date)| date.contains('.'))
}

/// Name of the composite's reading in which these reports stand beside each other: one that all of them with a score have.
pub fn shown_reading(reports: &[ReportView]) -> String {
    shown_for(reports.iter().map(|view| view.composites.as_slice())).name()
}

/// A combined table that was written.
#[derive(Clone, Debug, Serialize)]
pub struct Combined {
    /// Where.
    pub file: String,
    /// Rows without the header.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Models with several rows, which nothing in the table tells apart.
    pub repeated: Vec<String>,
}

impl Api {
    /// Every report, made here or imported, by name.
    ///
    /// # Errors
    /// When the reports folder cannot be read.
    pub fn reports_list(&self) -> Result<Vec<ReportView>, WireError> {
        let mut views = Vec::new();
        for report in report_files::list(&self.home().reports())? {
            // One folder that cannot be read hides no other.
            if let Ok(Some(mut view)) = view_of(&report.folder) {
                let facts = self.load_report(&report).map(|loaded| self.facts_of(&loaded));
                view.comparability = facts.ok().map(Comparability::of);
                view.outdated = self.outdated(&view);
                views.push(view);
            }
        }
        Ok(views)
    }

    /// A report by its id or folder, or that of a run by the run's id; `None` when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn report_show(&self, id: &str) -> Result<Option<ReportView>, WireError> {
        let reports = self.home().reports();
        let folders = [
            Some(reports.join(id)),
            self.report_of_run(id).map(|name| reports.join(name)),
            Some(id.into()),
        ];
        for folder in folders.into_iter().flatten() {
            if let Some(view) = view_of(&folder)? {
                return Ok(Some(self.completed(view, &folder)));
            }
        }
        match self.imported_report_of(id)? {
            Some(report) => {
                let folder = reports.join(report);
                Ok(view_of(&folder)?.map(|view| self.completed(view, &folder)))
            }
            None => Ok(None),
        }
    }

    /// A report with its verdict by the rules of today, where it is in the library, and with its intervals, where it was
    /// not made here or by an earlier version.
    fn completed(&self, mut view: ReportView, folder: &Path) -> ReportView {
        let means = view.levels.iter().flat_map(|level| &level.metrics);
        let lacks = view.overall.is_empty() || means.into_iter().any(|row| row.range.is_none());
        if lacks && let Ok(Some(read)) = published(folder) {
            with_intervals(&mut view, &read.report);
        }
        if let Ok(comparability) = self.report_comparability(&view.id) {
            view.comparability = Some(comparability);
        }
        view.outdated = self.outdated(&view);
        view
    }

    /// A published report is named after the day alone: it is of the run whose logs it repeats.
    fn imported_report_of(&self, run: &str) -> Result<Option<String>, WireError> {
        let Some((model, date)) = run.rsplit_once('/') else {
            return Ok(None);
        };
        let day = date.split('_').next().unwrap_or(date);
        let report = format!("{model}_{day}");
        if !report_files::is_name(&report) || !self.home().reports().join(&report).is_dir() {
            return Ok(None);
        }
        let is_of_it = match self.scored_run(&*self.open_report(&report)?) {
            Ok(scored) => scored.entry.id == run,
            // Its logs are not here, so it is of another run.
            Err(_) => false,
        };
        Ok(is_of_it.then_some(report))
    }

    /// Combines every `evaluation_summary.csv` below a folder of reports into one table.
    ///
    /// # Errors
    /// When there is none, one cannot be read, or the table cannot be written.
    pub fn report_combine(
        &self,
        reports: &Path,
        file: &Path,
        names: CombinedNames,
        order: CombinedOrder,
    ) -> Result<Combined, WireError> {
        let cannot_read = |path: &Path, error: &std::io::Error| {
            WireError::storage(format!("{} cannot be read: {error}", path.display()))
        };
        let mut summaries = Vec::new();
        for entry in std::fs::read_dir(reports).map_err(|error| cannot_read(reports, &error))? {
            let entry = entry.map_err(|error| cannot_read(reports, &error))?;
            let summary = entry.path().join(report_files::CSV);
            let name = entry.file_name().to_string_lossy().into_owned();
            // Two scorers' numbers, or a sample beside a whole run, would be compared with each other.
            if summary.is_file() && !is_narrower(&name) {
                let text =
                    std::fs::read_to_string(&summary).map_err(|error| cannot_read(&summary, &error))?;
                summaries.push((name, text));
            }
        }
        summaries.sort();
        if summaries.is_empty() {
            let folder = reports.display();
            return Err(WireError::not_found(format!(
                "{folder} holds no reports; make some with `koab evaluate`"
            )));
        }
        combined(&summaries, names, order, file)
    }

    /// Combines reports of the library into one table, each once, by name.
    ///
    /// # Errors
    /// When there is no such report, one has no summary, or the table cannot be written.
    pub fn report_combine_some(
        &self,
        ids: &[String],
        file: &Path,
        names: CombinedNames,
        order: CombinedOrder,
    ) -> Result<Combined, WireError> {
        combined(&self.summaries_of(ids)?, names, order, file)
    }

    /// The summaries of these reports, each once, by name.
    fn summaries_of(&self, ids: &[String]) -> Result<Vec<(String, String)>, WireError> {
        let mut summaries = Vec::new();
        for id in ids {
            let folder = self.report_folder(id)?;
            let bytes = report_files::file(&folder.folder, report_files::CSV)?.ok_or_else(|| {
                WireError::not_found(format!(
                    "report {id} has no {}; score its run again with `koab evaluate --format csv`",
                    report_files::CSV
                ))
            })?;
            let text = table_text(&bytes).ok_or_else(|| {
                WireError::new(
                    ErrorCode::BadFile,
                    format!("{} of report {id} is no UTF-8 text", report_files::CSV),
                )
            })?;
            summaries.push((id.clone(), text));
        }
        summaries.sort();
        summaries.dedup();
        Ok(summaries)
    }

    /// The combined table of these reports of the library, to be kept where the user wants it.
    ///
    /// # Errors
    /// When there is no such report, or one has no summary.
    pub fn reports_combined(
        &self,
        ids: &[String],
        names: CombinedNames,
        order: CombinedOrder,
    ) -> Result<ReportFile, WireError> {
        let summaries = self.summaries_of(ids)?;
        if summaries.is_empty() {
            return Err(WireError::bad_request(
                "no report was chosen for the combined table",
            ));
        }
        Ok(ReportFile {
            name: report_files::COMBINED.to_owned(),
            media: "text/csv".to_owned(),
            text: table_of(&summaries, names, order)?.to_csv(),
            beside: Vec::new(),
        })
    }
}

/// Writes the combined table of these summaries and tells what it holds.
fn combined(
    summaries: &[(String, String)],
    names: CombinedNames,
    order: CombinedOrder,
    file: &Path,
) -> Result<Combined, WireError> {
    let table = table_of(summaries, names, order)?;
    std::fs::write(file, table.to_csv())
        .map_err(|error| WireError::storage(format!("{} cannot be written: {error}", file.display())))?;
    let mut repeated: Vec<String> = Vec::new();
    let model = |name: &str| name.rsplit_once('_').map_or(name, |(model, _)| model).to_owned();
    for pair in summaries.windows(2) {
        let (one, two) = (model(&pair[0].0), model(&pair[1].0));
        if one == two && !repeated.contains(&one) {
            repeated.push(one);
        }
    }
    Ok(Combined {
        repeated,
        file: file.display().to_string(),
        rows: table.rows.len(),
        columns: table.header.len(),
    })
}

fn table_of(
    summaries: &[(String, String)],
    names: CombinedNames,
    order: CombinedOrder,
) -> Result<CombinedTable, WireError> {
    let pairs: Vec<(&str, &str)> = summaries
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    combine_ordered(&pairs, names, order)
        .map_err(|error| WireError::new(ErrorCode::BadFile, error.to_string()))
}

/// The report in a folder: as it was shown when it was made here, else as its files tell it. `None` when there is none.
fn view_of(folder: &Path) -> Result<Option<ReportView>, WireError> {
    if let Some(view) = report_files::read_view(folder)? {
        let mut view: ReportView =
            serde_json::from_value(view).map_err(|error| unreadable(folder, &error))?;
        view.composites = in_order(view.composites);
        return Ok(Some(view));
    }
    let Some(read) = published(folder)? else {
        return Ok(None);
    };
    let id = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Ok(Some(published_view(read, id, folder)))
}

/// A report's data as its files tell it: the report, else its summary, else its row of a combined summary.
pub(crate) fn published(folder: &Path) -> Result<Option<ReadReport>, WireError> {
    let read = |name: &str| match std::fs::read(folder.join(name)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(WireError::storage(format!(
            "{} cannot be read: {error}",
            folder.join(name).display()
        ))),
    };
    let faulty = |name: &str, why: String| {
        WireError::new(
            ErrorCode::BadFile,
            format!("{} {why}", folder.join(name).display()),
        )
    };
    let no_text = || "is no text in UTF-8 or CP949".to_owned();
    let mut found = if let Some(bytes) = read(report_files::JSON)? {
        read_json(&bytes).map_err(|error| faulty(report_files::JSON, error.to_string()))?
    } else if let Some(bytes) = read(report_files::CSV)? {
        table_text(&bytes)
            .ok_or_else(no_text)
            .and_then(|text| read_summary(&text).map_err(|error| error.to_string()))
            .map_err(|why| faulty(report_files::CSV, why))?
    } else if let Some(bytes) = read(report_files::COMBINED)? {
        let rows = table_text(&bytes)
            .ok_or_else(no_text)
            .and_then(|text| read_combined(&text).map_err(|error| error.to_string()));
        let row = rows.and_then(|rows| {
            let first = rows.into_iter().next().ok_or_else(|| "has no row".to_owned())?;
            first.map_err(|error| error.to_string())
        });
        row.map_err(|why| faulty(report_files::COMBINED, why))?.read
    } else {
        return Ok(None);
    };
    if found.model().is_none() {
        let origin = Origin::of(folder);
        found.report.model = origin.and_then(|origin| origin.model).unwrap_or_default();
    }
    Ok(Some(found))
}

fn unreadable(folder: &Path, error: &serde_json::Error) -> WireError {
    let file = folder.join(report_files::VIEW);
    WireError::new(
        ErrorCode::BadFile,
        format!("{} cannot be read: {error}; score the run again", file.display()),
    )
}
