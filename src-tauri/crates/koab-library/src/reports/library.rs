//! The library of reports. Every report folder of the workspace is a row with the user's tags and
//! note.

use crate::Library;
use crate::names;
use crate::references::is_reference;
use crate::reports::load::{LoadedReport, loaded};
use crate::reports::made_of::made_of;
use crate::reports::of_run::{UNFINISHED, UNJUDGED};
use crate::wire::{LevelFigure, ReportOrigin, ReportRow, ReportView, RunPart};
use koab_analysis::paired::Outcomes;
use koab_core::measured::ScoreRange;
use koab_core::protocol::Protocol;
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_report::comparability::{Conditions, with_leaderboard};
use koab_report::interval::wilson;
use koab_report::{Report, level_score, overall};
use koab_store::report_files::{self, ReportFolder};
use koab_store::report_index::{IndexEntry, IndexedReport};
use koab_store::{Deleted, Remark, TrashKind};
use koab_workspace::WireError;
use koab_workspace::connections::Connection;
use std::sync::Arc;

/// Version of the rows in the index; a change recomputes all of them.
const ROWS_VERSION: &str = "16";

impl Library {
    /// Returns all reports, beginning with that of the newest run. Detects folders that other
    /// programs added, changed or removed.
    ///
    /// # Errors
    /// When the reports folder or the database cannot be read. A report that cannot be read is a
    /// row with the reason.
    pub fn reports_library(&self) -> Result<Vec<ReportRow>, WireError> {
        let indexed = self.workspace.store()?.reports(
            &self.workspace.home().reports(),
            ROWS_VERSION,
            &self.inner.listed_reports,
            |folder| self.remembered(folder),
            |folder, facts| serde_json::from_str(facts).unwrap_or_else(|_| self.row(folder)),
        )?;
        let connections = self.connections();
        let rows = indexed.into_iter().map(|IndexedReport { row, remark, .. }| {
            with_remark(self.as_of_now(Arc::unwrap_or_clone(row), &connections), remark)
        });
        let mut rows: Vec<ReportRow> = rows.collect();
        rows.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.id.cmp(&b.id)));
        Ok(rows)
    }

    /// Replaces the user's tags and note of a report. Tags are trimmed and deduplicated.
    ///
    /// # Errors
    /// When the report does not exist, or the database cannot be written.
    pub fn report_remark(&self, id: &str, tags: Vec<String>, note: String) -> Result<ReportRow, WireError> {
        let folder = self.report_folder(id)?;
        let remark = Remark::new(tags, note);
        self.workspace.store()?.set_report_remark(id, &remark)?;
        let row = self.as_of_now(self.row(&folder), &self.connections());
        Ok(with_remark(row, remark))
    }

    /// Moves a report to the workspace's trash, which keeps it for 30 days. Returns the key for
    /// [`Library::report_restore`].
    ///
    /// # Errors
    /// When the report does not exist, or its folder cannot be moved.
    pub fn report_delete(&self, id: &str) -> Result<Deleted, WireError> {
        self.report_folder(id)?;
        self.workspace.trash_put(TrashKind::Report, id)
    }

    /// Restores a deleted report, and returns its id.
    ///
    /// # Errors
    /// When the report is no longer in the trash, another report now has its name, or its folder
    /// cannot be moved.
    pub fn report_restore(&self, deleted: &str) -> Result<String, WireError> {
        self.workspace.trash_restore(TrashKind::Report, deleted)
    }

    /// Restores the report that had this id and was deleted last, and returns its id.
    ///
    /// # Errors
    /// When the trash has no such report; else as [`Library::report_restore`].
    pub fn report_restore_last(&self, id: &str) -> Result<String, WireError> {
        self.workspace.trash_restore_last(TrashKind::Report, id)
    }

    /// Returns the folder of a report of the library.
    ///
    /// # Errors
    /// When the library has no such report.
    pub fn report_folder(&self, id: &str) -> Result<ReportFolder, WireError> {
        let folder = self.workspace.home().reports().join(id);
        if !report_files::is_name(id) || !folder.is_dir() {
            return Err(WireError::not_found(say!("there is no report {id}; see `koab report list`")));
        }
        Ok(ReportFolder { id: id.to_owned(), folder })
    }

    /// Reads a report from its folder: from all its data, or otherwise from its summary.
    pub fn load_report(&self, folder: &ReportFolder) -> Result<LoadedReport, WireError> {
        loaded(folder)?.ok_or_else(|| {
            WireError::not_found(say!(
                "report {} has neither data nor a summary; score its run again",
                folder.id
            ))
        })
    }

    /// Moves reports to the trash that a new report of the same run replaces. These are reports of
    /// fewer attempts, and a report that lacked answers which now exist.
    pub fn drop_superseded(&self, written: &ReportView) -> Result<(), WireError> {
        let whole =
            [UNJUDGED, UNFINISHED].iter().find_map(|way| written.id.strip_suffix(way)).unwrap_or(&written.id);
        for way in ["", UNJUDGED, UNFINISHED] {
            let id = format!("{whole}{way}");
            let Some(view) = self.made_here(&id) else { continue };
            let is_answered = way == UNFINISHED && written.id == whole && !written.judges.is_empty();
            let is_of_it = id != written.id && view.run.is_some() && view.run == written.run;
            if is_of_it && (is_answered || self.outdated(&view).is_some()) {
                self.report_delete(&id)?;
            }
        }
        Ok(())
    }

    /// Updates a row: sets the display name of the model, and adds a warning if the run has
    /// continued since the report. No file of a complete run is read.
    pub(crate) fn as_of_now(&self, mut row: ReportRow, connections: &[Connection]) -> ReportRow {
        names::name(connections, &mut row.model, &mut row.address);
        let judges = row.judges.as_deref_mut().unwrap_or_default();
        names::name_judges(connections, judges, &mut row.judge_address);
        let made_of = row.run.as_deref().zip(row.attempts);
        row.outdated = made_of.and_then(|(run, made_of)| self.gone_on(run, made_of));
        row
    }

    fn row(&self, folder: &ReportFolder) -> ReportRow {
        match self.load_report(folder) {
            Ok(loaded) => self.row_of(folder, &loaded),
            Err(error) => broken(folder, error),
        }
    }

    /// Returns the index entry of a report: its row, and the data for comparing pairs of reports.
    fn remembered(&self, folder: &ReportFolder) -> IndexEntry {
        let text = |row: &ReportRow| serde_json::to_string(row).unwrap_or_default();
        match self.load_report(folder) {
            Ok(loaded) => IndexEntry {
                facts: text(&self.row_of(folder, &loaded)),
                conditions: serde_json::to_string(&Conditions::from_facts(&self.facts_of(&loaded)))
                    .unwrap_or_default(),
                outcomes: serde_json::to_string(&Outcomes::from_report(&loaded.report)).unwrap_or_default(),
            },
            Err(error) => IndexEntry { facts: text(&broken(folder, error)), ..IndexEntry::default() },
        }
    }

    /// Returns the row of a report, without the user's tags and note.
    pub(crate) fn row_of(&self, folder: &ReportFolder, loaded: &LoadedReport) -> ReportRow {
        let LoadedReport { report, view, .. } = loaded;
        let run = view.as_ref().and_then(|view| run_of(&folder.id, view));
        let manifest = run.as_deref().and_then(|run| self.manifest_of(run));
        let (pack, protocol) = match view {
            Some(view) if view.pack.is_some() => (view.pack.clone(), view.protocol),
            // Reports of earlier versions do not contain it, but their run does.
            Some(_) => manifest.as_ref().map_or((None, None), conditions),
            None => (None, None),
        };
        let date = run.as_deref().and_then(|run| run.rsplit_once('/'));
        let means = report.levels.iter().flat_map(|level| &level.means);
        let judgement = with_leaderboard(&self.facts_of(loaded));
        let success = overall(report, MetricId::Sr).ok();
        let displayed = CompositeVariant::SHOWN;
        let mut composites = loaded.composites(loaded.kept_intervals()).into_iter();
        let composite = composites.find(|row| row.variant == displayed.name());
        ReportRow {
            composite: composite.as_ref().and_then(|row| row.figure.value()),
            composite_reason: composite.as_ref().and_then(|row| row.figure.reason().cloned()),
            composite_range: composite.and_then(|row| row.range),
            variant: displayed.name(),
            reading: displayed.reading().into(),
            model: if report.model.is_empty() { folder.id.clone() } else { report.model.clone() },
            date: date.map_or(report.execution_date.clone(), |(_, date)| date.to_owned()),
            part_of: manifest.as_ref().and_then(|manifest| RunPart::from_spec(&manifest.spec)),
            address: manifest.and_then(|manifest| manifest.spec.base_url),
            run,
            pack,
            protocol,
            scorer: report.scorer,
            judges: loaded.names_judges.then(|| report.judges.clone()),
            judge_address: report.judge_base_url.clone(),
            levels: report
                .levels
                .iter()
                .map(|level| LevelFigure { level: level.level.clone(), score: level_score(level).into() })
                .collect(),
            tasks: report.total_tasks().map(|tasks| tasks as u32),
            unscored: means.map(|mean| mean.unscored as u32).sum(),
            attempts: view
                .as_ref()
                .and_then(made_of)
                .filter(|made_of| made_of.done < made_of.planned || made_of.failed > 0),
            comparability: Some(judgement.grade),
            comparability_reason: judgement.against().next().map(|finding| finding.reason.clone()),
            origin: if view.is_some() { ReportOrigin::Made } else { ReportOrigin::Imported },
            success: success.map(|mean| mean.value),
            success_range: success_range(report).filter(|_| report.unmeasured.is_none()),
            ..empty_row(folder)
        }
    }
}

/// Returns the interval of SR over all tasks. It needs no resampling, because a list may have a
/// thousand rows.
fn success_range(report: &Report) -> Option<ScoreRange> {
    let tasks = report.levels.iter().flat_map(|level| &level.tasks);
    let scores: Option<Vec<f64>> = if report.is_of_another_benchmark() {
        // Items that the benchmark's rules leave out are in no mean. A missing score of any other
        // item means that there is no mean.
        overall(report, MetricId::Sr)
            .ok()
            .map(|_| tasks.filter_map(|task| task.value(MetricId::Sr)).collect())
    } else {
        tasks.map(|task| task.value(MetricId::Sr)).collect()
    };
    let scores = scores.filter(|scores| scores.iter().all(|score| *score == 0.0 || *score == 1.0))?;
    let succeeded = scores.iter().filter(|score| **score == 1.0).count();
    wilson(succeeded, scores.len()).ok().map(|interval| Ok(interval).into())
}

/// Returns the pack and the protocol from the manifest of a run.
pub fn conditions(manifest: &RunManifest) -> (Option<String>, Option<Protocol>) {
    (Some(manifest.spec.pack.clone()), Some(manifest.spec.settings.protocol))
}

/// Returns the run of a report that this program made. The run is stored with the report, or
/// follows from the report's name (`report_name` in `koab-scoring`).
pub(crate) fn run_of(id: &str, view: &ReportView) -> Option<String> {
    if view.run.is_some() || view.benchmark.is_some() {
        return view.run.clone();
    }
    let (model, date) = id.rsplit_once('_')?;
    let date = date.split('.').next().unwrap_or(date);
    Some(format!("{model}/{}", date.replace('-', "_")))
}

fn with_remark(row: ReportRow, remark: Remark) -> ReportRow {
    ReportRow { tags: remark.tags, note: remark.note, ..row }
}

fn broken(folder: &ReportFolder, error: WireError) -> ReportRow {
    ReportRow { problem: Some(error.message), ..empty_row(folder) }
}

fn empty_row(folder: &ReportFolder) -> ReportRow {
    ReportRow {
        id: folder.id.clone(),
        model: folder.id.clone(),
        origin: if folder.folder.join(report_files::KEPT).is_file() {
            ReportOrigin::Made
        } else {
            ReportOrigin::Imported
        },
        reference: is_reference(&folder.folder),
        ..ReportRow::default()
    }
}
