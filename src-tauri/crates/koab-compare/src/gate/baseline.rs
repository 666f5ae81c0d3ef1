//! The baseline of a gate: a report of the library, the report of a run, or a report file.

use crate::scored::{attempts, scores};
use koab_analysis::gate::GateOutcome;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::comparability::Facts;
use koab_report::repetitions::Repetitions;
use koab_report::{Report, read_json};
use koab_runs::Runs;
use koab_store::report_files;
use koab_workspace::WireError;
use std::path::Path;

/// Maximum size of a report file in bytes.
const MAX_REPORT_BYTES: u64 = 512 << 20;

/// The report that a gate compares with, and its tasks and attempts.
pub(super) struct Baseline {
    /// Levels and ids of the tasks, in report order.
    pub(super) tasks: Vec<(Level, String)>,
    /// For each task, its attempts that have a score: the number of the repetition and the score.
    pub(super) attempts: Vec<Vec<(u32, f64)>>,
    /// Label of the pack; `None` where it is not known.
    pub(super) pack: Option<String>,
    /// The report itself.
    pub(super) report: Report,
    /// Whether the report names its judges.
    pub(super) names_judges: bool,
    /// Facts about the run of the report; `None` for a report file.
    pub(super) facts: Option<Facts>,
    /// Id of the report in the library; `None` if the library does not contain it.
    pub(super) id: Option<String>,
    /// Id of the run that the report scores.
    pub(super) run: Option<String>,
    /// Remarks about unknown facts of the baseline.
    pub(super) remarks: Vec<Sentence>,
}

impl Baseline {
    /// Reads the baseline that `word` names. If `levels` are given, only these levels are used.
    pub(super) fn read(
        runs: &Runs,
        word: &str,
        metric: MetricId,
        levels: &[Level],
    ) -> Result<Self, WireError> {
        let path = Path::new(word);
        if !path.is_file() {
            return Self::of_library(runs, &runs.library.report_id(word)?, metric, word, levels);
        }
        let file = path.display();
        let unread = |error: std::io::Error| WireError::not_found(say!("{file} cannot be read: {error}"));
        if path.metadata().map_err(unread)?.len() > MAX_REPORT_BYTES {
            let most = MAX_REPORT_BYTES >> 20;
            return Err(WireError::bad_request(say!(
                "{file} is larger than {most} MB, the limit of a report"
            )));
        }
        let text = std::fs::read(path).map_err(unread)?;
        let read = read_json(&text).map_err(|why| WireError::bad_request(say!("{file}: {why}")))?;
        // The same report in the library has facts that the file lacks.
        if let Some(id) = same(runs, &read.report, metric)? {
            return Self::of_library(runs, &id, metric, word, levels);
        }
        let mut baseline = Self::from_report(&read.report, None, metric, word, levels)?;
        baseline.names_judges = read.names_judges;
        baseline.remarks.push(say!(
            "{file} does not name its pack, the settings of its run, or the attempts that failed for technical reasons, which may count as wrong answers; a report of the library does"
        ));
        Ok(baseline)
    }

    fn of_library(
        runs: &Runs,
        id: &str,
        metric: MetricId,
        word: &str,
        levels: &[Level],
    ) -> Result<Self, WireError> {
        let open = runs.library.open_report(id)?;
        let repetitions = report_files::read_repetitions::<Repetitions>(&open.folder.folder)?;
        let mut baseline =
            Self::from_report(&open.loaded.report, repetitions.as_ref(), metric, word, levels)?;
        baseline.names_judges = open.loaded.names_judges;
        baseline.facts = Some(runs.library.facts_of(&open.loaded));
        let mut failed = None;
        if let Some(view) = &open.loaded.view {
            baseline.pack.clone_from(&view.pack);
            baseline.run.clone_from(&view.run);
            failed = view.attempts.as_ref().map(|counts| counts.failed);
        }
        baseline.id = Some(id.to_owned());
        // A report by the published rules without repetitions counts a technical failure as a wrong
        // answer.
        if repetitions.is_none() && baseline.report.scorer == Protocol::Leaderboard && failed != Some(0) {
            baseline.drop_technical(runs, metric, failed)?;
        }
        Ok(baseline)
    }

    fn from_report(
        report: &Report,
        repetitions: Option<&Repetitions>,
        metric: MetricId,
        word: &str,
        levels: &[Level],
    ) -> Result<Self, WireError> {
        let mut tasks = Vec::new();
        for level in &report.levels {
            if levels.is_empty() || levels.contains(&level.level) {
                let of_level = level.tasks.iter().filter(|task| task.score(metric).is_some());
                tasks.extend(of_level.map(|task| (level.level.clone(), task.id.clone())));
            }
        }
        if tasks.is_empty() {
            let metric = metric.name();
            return Err(WireError::bad_request(say!(
                "the baseline {word} has no task with {metric}; take a report that has scores of single tasks"
            )));
        }
        let attempts = attempts(report, repetitions, metric);
        let of_task = |(_, id): &(Level, String)| attempts.get(id).cloned().unwrap_or_default();
        // An attempt without a score does not count: the task is tried again.
        let scored = |of: Vec<Option<f64>>| {
            let numbered = (1..).zip(of);
            numbered.filter_map(|(repetition, score)| Some((repetition, score?))).collect()
        };
        Ok(Self {
            attempts: tasks.iter().map(of_task).map(scored).collect(),
            tasks,
            pack: None,
            report: report.clone(),
            names_judges: true,
            facts: None,
            id: None,
            run: None,
            remarks: Vec::new(),
        })
    }

    /// Outcomes of the attempts, task by task.
    pub(super) fn outcomes(&self) -> Vec<Vec<GateOutcome>> {
        let of_task = |of: &Vec<(u32, f64)>| of.iter().map(|(_, score)| (*score).into()).collect();
        self.attempts.iter().map(of_task).collect()
    }

    /// Removes attempts that failed for technical reasons. Such attempts have no score in the run's
    /// report by the corrected rules.
    fn drop_technical(
        &mut self,
        runs: &Runs,
        metric: MetricId,
        failed: Option<u32>,
    ) -> Result<(), WireError> {
        let rows = runs.library.reports_library()?;
        let corrected = rows.iter().find(|row| {
            self.run.is_some()
                && row.run == self.run
                && row.scorer == Protocol::Corrected
                && row.problem.is_none()
        });
        let Some(row) = corrected else {
            self.remarks.push(match failed {
                Some(failed) => say!(
                    "{failed} attempts of the baseline failed for technical reasons and count as wrong answers; to leave them out, score its run by the corrected rules as well"
                ),
                None => say!(
                    "the baseline does not say which of its attempts failed for technical reasons; they may count as wrong answers"
                ),
            });
            return Ok(());
        };
        let open = runs.library.open_report(&row.id)?;
        let corrected_scores = scores(&open.loaded.report, metric);
        for ((_, task), attempts) in self.tasks.iter().zip(&mut self.attempts) {
            if corrected_scores.get(task.as_str()).copied().flatten().is_none() {
                attempts.clear();
            }
        }
        Ok(())
    }
}

/// Id of the library's report whose content is the same as that of a report file.
fn same(runs: &Runs, report: &Report, metric: MetricId) -> Result<Option<String>, WireError> {
    let of_file = scores(report, metric);
    for row in runs.library.reports_library()? {
        let is_of_model = || report.model.is_empty() || runs.library.model_id(&row.model) == report.model;
        if row.scorer != report.scorer || !is_of_model() {
            continue;
        }
        let Ok(open) = runs.library.open_report(&row.id) else {
            continue;
        };
        let other = &open.loaded.report;
        if other.evaluation_date == report.evaluation_date && scores(other, metric) == of_file {
            return Ok(Some(row.id));
        }
    }
    Ok(None)
}
