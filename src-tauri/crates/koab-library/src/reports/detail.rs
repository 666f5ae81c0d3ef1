//! A complete report, read from its folder alone. `facts.rs` adds the facts that come from the run.

use crate::Library;
use crate::reports::load::LoadedReport;
pub(crate) use crate::reports::open::OPENED;
pub use crate::reports::open::Open;
use crate::reports::view::view;
use crate::wire::{ReportDetail, TaskFigure, TaskScore};
use koab_core::reason::Reason;
use koab_core::score::{MetricId, Score};
use koab_report::ItemRow;
use koab_report::TaskReport;
use koab_report::interval::Intervals;
use koab_store::report_files::{self, ReportFolder};
use koab_workspace::WireError;
use std::collections::HashMap;
use std::sync::Arc;

impl Library {
    /// Returns a whole report.
    ///
    /// # Errors
    /// When the report does not exist, or its data cannot be read.
    pub fn report_detail(&self, id: &str) -> Result<ReportDetail, WireError> {
        let open = self.open_report(id)?;
        let mut detail = open.detail.clone();
        detail.row = self.as_of_now(detail.row, &self.connections());
        if !detail.view.model.is_empty() {
            detail.view.model.clone_from(&detail.row.model);
        }
        detail.view.notes.splice(..0, detail.row.outdated.clone());
        detail.view.outdated.clone_from(&detail.row.outdated);
        let remark = self.workspace.store()?.report_remark(id)?;
        (detail.row.tags, detail.row.note) = (remark.tags, remark.note);
        Ok(detail)
    }

    /// Opens a report. A report whose files have not changed is read only once.
    pub fn open_report(&self, id: &str) -> Result<Arc<Open>, WireError> {
        let folder = self.report_folder(id)?;
        let path = folder.folder.clone();
        let stamp = report_files::stamp(&path);
        self.inner.opened_reports.get(&path, stamp, || {
            let loaded = self.load_report(&folder)?;
            let intervals = loaded.intervals();
            Ok(Open { detail: self.detail(&folder, &loaded, &intervals), intervals, folder, loaded })
        })
    }

    fn detail(&self, folder: &ReportFolder, loaded: &LoadedReport, intervals: &Intervals) -> ReportDetail {
        let report = &loaded.report;
        let files =
            [("json", report_files::JSON), ("csv", report_files::CSV), ("md", report_files::MARKDOWN)];
        ReportDetail {
            view: view(folder, loaded, Some(intervals)),
            row: self.row_of(folder, loaded),
            files: files
                .into_iter()
                .filter(|(_, name)| folder.folder.join(name).is_file())
                .map(|(format, _)| format.to_owned())
                .collect(),
            evaluation_date: report.evaluation_date.clone(),
            sample: report.sample_size.map(|size| size as u32),
            votes: report.votes as u32,
            aggregate: match report.aggregate {
                koab_core::judge::Aggregate::Mean => "mean".to_owned(),
                koab_core::judge::Aggregate::Median => "median".to_owned(),
            },
            repeated: folder.folder.join(report_files::REPETITIONS).is_file(),
            tasks: tasks(loaded),
        }
    }
}

fn tasks(loaded: &LoadedReport) -> Vec<TaskFigure> {
    let levels = loaded.report.levels.iter();
    let items = loaded.whole.iter().flat_map(|whole| &whole.items);
    let rows: HashMap<&str, &Vec<ItemRow>> = items.map(|item| (item.id.as_str(), &item.rows)).collect();
    levels
        .flat_map(|level| {
            level.tasks.iter().map(|task| TaskFigure {
                level: level.level.clone(),
                task: task.id.clone(),
                answered: task.answered(),
                scores: scores(task),
                rows: rows.get(task.id.as_str()).map(|rows| (*rows).clone()).unwrap_or_default(),
            })
        })
        .collect()
}

fn scores(task: &TaskReport) -> Vec<TaskScore> {
    let row = |(metric, score): &(MetricId, Score)| TaskScore {
        metric: *metric,
        value: score.value(),
        why: match score {
            Score::Scored { .. } => None,
            Score::Errored { error } => Some(error.into()),
            Score::Unscored { reason } => Some(reason.clone()),
            Score::NotApplicable { .. } => Some(Reason::NotAboutTask {}.into()),
        },
    };
    task.scores.iter().map(row).collect()
}
