//! Finds a run's reports in the workspace and reads their files.

use crate::Exchange;
use koab_core::judge::Verdicts;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_library::reports::report_file::stored_view;
use koab_report::{Report, read_json};
use koab_store::report_files::{self, CSV, JSON, MARKDOWN};
use koab_store::runs::{RunEntry, is_of_model};
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::path::Path;

/// A report of the run that is bundled.
pub(super) struct OfRun {
    pub(super) id: String,
    pub(super) report: Report,
    /// Verdicts that are saved in the report's folder.
    pub(super) verdicts: Verdicts,
    /// Published files of the report by file name, byte for byte.
    pub(super) texts: Vec<(&'static str, Vec<u8>)>,
}

impl Exchange {
    /// Returns the reports with the ids in `named`. If `named` is empty, returns the most complete
    /// report of the run under each scorer.
    pub(super) fn reports_to_bundle(
        &self,
        entry: &RunEntry,
        named: &[String],
    ) -> Result<BTreeMap<Protocol, OfRun>, WireError> {
        let reports = self.workspace.home().reports();
        let mut reports_by_scorer: BTreeMap<Protocol, OfRun> = BTreeMap::new();
        if named.is_empty() {
            for place in report_files::list(&reports)? {
                if let Some(candidate) = read(&place.folder, &place.id)?
                    && is_of(entry, &place.folder, &candidate.report)
                {
                    let better = reports_by_scorer
                        .get(&candidate.report.scorer)
                        .is_none_or(|known| rank(&candidate) > rank(known));
                    if better {
                        reports_by_scorer.insert(candidate.report.scorer, candidate);
                    }
                }
            }
            return Ok(reports_by_scorer);
        }
        for id in named {
            if !report_files::is_name(id) {
                return Err(WireError::bad_request(say!("`{id}` is not a report's id")));
            }
            let Some(report) = read(&reports.join(id), id)? else {
                return Err(WireError::not_found(say!(
                    "the report {id} has no evaluation_report.json to compute again"
                )));
            };
            if let Some(other) = reports_by_scorer.insert(report.report.scorer, report) {
                return Err(WireError::bad_request(say!(
                    "{} and {id} are scored by the same rules; a bundle holds one report of each",
                    other.id
                )));
            }
        }
        Ok(reports_by_scorer)
    }
}

/// Sort key of reports of one run. The most complete report is last: all tasks, most levels,
/// judged, newest.
fn rank(of: &OfRun) -> (bool, usize, bool, &str) {
    let report = &of.report;
    (report.sample_size.is_none(), report.levels.len(), !report.judges.is_empty(), &report.evaluation_date)
}

/// Whether a report belongs to the run. A report that this program scored stores the id of its run.
/// An imported report is matched by model and day.
fn is_of(entry: &RunEntry, folder: &Path, report: &Report) -> bool {
    match stored_view(folder) {
        Ok(Some(view)) => view.run.as_deref() == Some(&entry.id),
        _ => {
            is_of_model(&entry.model_folder, &report.model)
                && !report.execution_date.is_empty()
                && entry.date.starts_with(&report.execution_date)
        }
    }
}

fn read(folder: &Path, id: &str) -> Result<Option<OfRun>, WireError> {
    let Some(json) = report_files::file(folder, JSON)? else {
        return Ok(None);
    };
    let report = match read_json(&json) {
        Ok(read) => read.report,
        Err(error) => {
            let why = format!("the report {id} {error}");
            return Err(WireError::bad_file(why));
        }
    };
    let mut texts = vec![(JSON, json)];
    for name in [CSV, MARKDOWN] {
        if let Some(text) = report_files::file(folder, name)? {
            texts.push((name, text));
        }
    }
    Ok(Some(OfRun { id: id.to_owned(), report, verdicts: koab_library::verdict_file::read(folder)?, texts }))
}
