//! Reports of the workspace, and the combined table of a folder of reports.

pub mod computed;
mod cost;
pub mod detail;
mod export;
pub mod facts;
pub mod figures;
mod instructions;
pub mod library;
pub mod load;
pub mod lookup;
pub mod made_of;
pub mod of_run;
mod open;
pub(crate) mod repetitions;
pub mod report_file;
pub mod view;

pub use instructions::{OtherInstructions, TaskOfLevel};

use crate::Library;
use crate::names;
use crate::reports::load::loaded;
use crate::reports::report_file::stored_view;
use crate::reports::view::view;
use crate::table_text::table_text;
use crate::wire::{ReportFile, ReportView, RunReport};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_report::comparability::Comparability;
use koab_report::{CombinedNames, CombinedOrder, CombinedTable, combine_ordered};
use koab_store::report_files::{self, ReportFolder};
use koab_store::runs;
use koab_workspace::WireError;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Whether a folder has the name of a corrected, partial or unjudged report. These names have a
/// suffix after the date (`report_name` in `koab-scoring`).
fn is_narrower(name: &str) -> bool {
    name.rsplit_once('_').is_some_and(|(_, date)| date.contains('.'))
}

/// A combined table that was written.
#[derive(Clone, Debug, Serialize)]
pub struct Combined {
    /// Path of the table.
    pub file: String,
    /// Number of rows without the header.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Models that have several equal-looking rows in the table.
    pub repeated: Vec<String>,
}

impl Library {
    /// Returns all reports, scored in this workspace or imported, sorted by name.
    ///
    /// # Errors
    /// When the reports folder cannot be read.
    pub fn reports_list(&self) -> Result<Vec<ReportView>, WireError> {
        let mut views = Vec::new();
        for report in report_files::list(&self.workspace.home().reports())? {
            // An unreadable folder does not hide the other reports.
            let view = match loaded(&report) {
                Ok(Some(loaded)) => Some(ReportView {
                    comparability: Some(Comparability::from_facts(self.facts_of(&loaded))),
                    ..view(&report, &loaded, loaded.kept_intervals())
                }),
                _ => stored_view(&report.folder).ok().flatten(),
            };
            views.extend(view.map(|view| self.view_as_of_now(view)));
        }
        Ok(views)
    }

    /// Returns a report. The name is the id or folder of the report, or the id of its run. `None`
    /// if the report does not exist.
    ///
    /// # Errors
    /// When the report exists but cannot be read.
    pub fn report_show(&self, id: &str) -> Result<Option<ReportView>, WireError> {
        let reports = self.workspace.home().reports();
        let folders =
            [Some(reports.join(id)), self.report_of_run(id).map(|name| reports.join(name)), Some(id.into())];
        for folder in folders.into_iter().flatten() {
            if let Some(view) = self.shown_in(folder)? {
                return Ok(Some(view));
            }
        }
        match self.imported_report_of(id)? {
            Some(report) => self.shown_in(reports.join(report)),
            None => Ok(None),
        }
    }

    /// Returns the report in a folder; `None` if the folder has no report. A report of the library
    /// gets its comparability by the current rules.
    fn shown_in(&self, folder: PathBuf) -> Result<Option<ReportView>, WireError> {
        let id = folder.file_name().unwrap_or_default().to_string_lossy();
        let folder = ReportFolder { id: id.into_owned(), folder };
        let mut view = match loaded(&folder)? {
            Some(loaded) => view(&folder, &loaded, Some(&loaded.intervals())),
            None => match stored_view(&folder.folder)? {
                Some(view) => view,
                None => return Ok(None),
            },
        };
        if let Ok(comparability) = self.report_comparability(&view.id) {
            view.comparability = Some(comparability);
        }
        Ok(Some(self.view_as_of_now(view)))
    }

    /// Replaces the ids of the model and of the judges of a report by display names.
    pub fn named_view(&self, mut view: ReportView) -> ReportView {
        if view.judge_address.is_some() {
            names::name_judges(&self.connections(), &mut view.judges, &mut view.judge_address);
        }
        ReportView { model: self.model_name_in(&view.model, view.run.as_deref()), ..view }
    }

    /// Adds a warning if the run has continued since the report.
    fn view_as_of_now(&self, view: ReportView) -> ReportView {
        ReportView { outdated: self.outdated(&view), ..self.named_view(view) }
    }

    /// Returns the imported reports of runs whose logs are in the workspace. Reads the logs of each
    /// of these runs.
    ///
    /// # Errors
    /// When the runs cannot be listed, or a report cannot be read.
    pub fn imported_reports(&self) -> Result<Vec<RunReport>, WireError> {
        let runs = runs::list(&self.workspace.home().logs())?;
        let mut reports = Vec::new();
        for run in runs.into_iter().map(|entry| entry.id) {
            // The list of reports shows the error of an unreadable report.
            if let Ok(Some(report)) = self.imported_report_of(&run) {
                reports.push(RunReport { run, report });
            }
        }
        Ok(reports)
    }

    /// Returns the imported report of a run. The name of a published report has only the day, so
    /// the report must also repeat the metadata of the run's logs.
    fn imported_report_of(&self, run: &str) -> Result<Option<String>, WireError> {
        let Some((model, date)) = run.rsplit_once('/') else {
            return Ok(None);
        };
        let day = date.split('_').next().unwrap_or(date);
        let report = format!("{model}_{day}");
        if !report_files::is_name(&report) || !self.workspace.home().reports().join(&report).is_dir() {
            return Ok(None);
        }
        let is_of_it = match self.scored_run(&*self.open_report(&report)?) {
            Ok(scored) => scored.entry.id == run,
            // The report's logs are missing, so the report belongs to another run.
            Err(_) => false,
        };
        Ok(is_of_it.then_some(report))
    }

    /// Combines every `evaluation_summary.csv` below a folder of reports into one table.
    ///
    /// # Errors
    /// When there is no summary, a summary cannot be read, or the table cannot be written.
    pub fn report_combine(
        &self,
        reports: &Path,
        file: &Path,
        names: CombinedNames,
        order: CombinedOrder,
    ) -> Result<Combined, WireError> {
        let mut summaries = Vec::new();
        for entry in std::fs::read_dir(reports).map_err(|error| WireError::unreadable(reports, error))? {
            let entry = entry.map_err(|error| WireError::unreadable(reports, error))?;
            let summary = entry.path().join(report_files::CSV);
            let name = entry.file_name().to_string_lossy().into_owned();
            // Left out: reports of other scorers and of samples, which are not comparable with
            // whole runs, and of other benchmarks, whose groups have no columns here.
            let is_other = || {
                stored_view(&entry.path()).is_ok_and(|view| view.is_some_and(|view| view.benchmark.is_some()))
            };
            if summary.is_file() && !is_narrower(&name) && !is_other() {
                let text = std::fs::read_to_string(&summary)
                    .map_err(|error| WireError::unreadable(&summary, error))?;
                summaries.push((name, text));
            }
        }
        summaries.sort();
        if summaries.is_empty() {
            let folder = reports.display();
            return Err(WireError::not_found(say!("{folder} holds no reports; make some with `koab score`")));
        }
        combined(&summaries, names, order, file)
    }

    /// Combines reports of the library into one table, sorted by name and without duplicates.
    ///
    /// # Errors
    /// When a report does not exist or has no summary, or the table cannot be written.
    pub fn report_combine_some(
        &self,
        ids: &[String],
        file: &Path,
        names: CombinedNames,
        order: CombinedOrder,
    ) -> Result<Combined, WireError> {
        combined(&self.summaries_of(ids)?, names, order, file)
    }

    /// Returns the summaries of these reports, sorted by name and without duplicates.
    fn summaries_of(&self, ids: &[String]) -> Result<Vec<(String, String)>, WireError> {
        let mut summaries = Vec::new();
        for id in ids {
            let folder = self.report_folder(id)?;
            if stored_view(&folder.folder)?.is_some_and(|view| view.benchmark.is_some()) {
                return Err(WireError::bad_request(say!(
                    "report {id} is of another benchmark, whose groups have no place in the combined table of Ko-AgentBench; leave the report out"
                )));
            }
            let bytes = report_files::file(&folder.folder, report_files::CSV)?.ok_or_else(|| {
                WireError::not_found(say!(
                    "report {id} has no {}; score its run again with `koab score --format csv`",
                    report_files::CSV
                ))
            })?;
            let text = table_text(&bytes).ok_or_else(|| {
                WireError::bad_file(say!("{} of report {id} is not UTF-8 text", report_files::CSV))
            })?;
            summaries.push((id.clone(), text));
        }
        summaries.sort();
        summaries.dedup();
        Ok(summaries)
    }

    /// Returns the combined table of these reports of the library as a file to save.
    ///
    /// # Errors
    /// When a report does not exist or has no summary.
    pub fn reports_combined(
        &self,
        ids: &[String],
        names: CombinedNames,
        order: CombinedOrder,
    ) -> Result<ReportFile, WireError> {
        let summaries = self.summaries_of(ids)?;
        if summaries.is_empty() {
            return Err(WireError::bad_request(say!("no report was chosen for the combined table")));
        }
        Ok(ReportFile {
            name: report_files::COMBINED.to_owned(),
            media: "text/csv".to_owned(),
            text: table_of(&summaries, names, order)?.to_csv(),
            beside: Vec::new(),
        })
    }
}

/// Writes the combined table of these summaries, and returns its path and size.
fn combined(
    summaries: &[(String, String)],
    names: CombinedNames,
    order: CombinedOrder,
    file: &Path,
) -> Result<Combined, WireError> {
    let table = table_of(summaries, names, order)?;
    std::fs::write(file, table.to_csv()).map_err(|error| WireError::unwritable(file, error))?;
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
    let pairs: Vec<(&str, &str)> =
        summaries.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    combine_ordered(&pairs, names, order).map_err(|error| WireError::bad_file(error.to_sentence()))
}
