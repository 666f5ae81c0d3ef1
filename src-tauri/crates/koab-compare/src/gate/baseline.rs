//! What a gate holds against: a report of the library, a run's, or a report's file.

use crate::scored::attempts;
use koab_analysis::gate::GateOutcome;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_report::repetitions::Repetitions;
use koab_report::{Report, read_json};
use koab_runs::{Runs, WireError};
use koab_store::report_files;
use std::path::Path;

/// The baseline's tasks and attempts.
pub(super) struct Baseline {
    /// Levels and ids, in report order.
    pub(super) tasks: Vec<(Level, String)>,
    /// Attempts at each that have a score.
    pub(super) outcomes: Vec<Vec<GateOutcome>>,
    /// The pack, where it is known.
    pub(super) pack: Option<String>,
    /// By which rules it was scored.
    pub(super) scorer: Protocol,
    /// Its report in the library, and the run that it is of.
    pub(super) report: Option<String>,
    pub(super) run: Option<String>,
}

impl Baseline {
    /// Reads it.
    pub(super) fn read(runs: &Runs, word: &str, metric: MetricId) -> Result<Self, WireError> {
        let path = Path::new(word);
        if path.is_file() {
            let text = std::fs::read(path).map_err(|error| {
                let file = path.display();
                WireError::not_found(say!("{file} cannot be read: {error}"))
            })?;
            let read = read_json(&text).map_err(|why| {
                let file = path.display();
                WireError::bad_request(say!("{file}: {why}"))
            })?;
            return Self::of(&read.report, None, metric, word);
        }
        let id = runs.report_id(word)?;
        let open = runs.open_report(&id)?;
        let kept = report_files::read_repetitions::<Repetitions>(&open.folder.folder)?;
        let mut baseline = Self::of(&open.loaded.report, kept, metric, word)?;
        if let Some(view) = &open.loaded.view {
            baseline.pack.clone_from(&view.pack);
            baseline.run.clone_from(&view.run);
        }
        baseline.report = Some(id);
        Ok(baseline)
    }

    fn of(
        report: &Report,
        kept: Option<Repetitions>,
        metric: MetricId,
        word: &str,
    ) -> Result<Self, WireError> {
        let mut tasks = Vec::new();
        for level in &report.levels {
            let of_level = level.tasks.iter().filter(|task| task.score(metric).is_some());
            tasks.extend(of_level.map(|task| (level.level, task.id.clone())));
        }
        if tasks.is_empty() {
            let metric = metric.name();
            return Err(WireError::bad_request(say!(
                "the baseline {word} has no task with {metric}; take a report that has scores of single tasks"
            )));
        }
        let attempts = attempts(report, kept.as_ref(), metric);
        let outcomes = tasks
            .iter()
            .map(|(_, id)| attempts.get(id).cloned().unwrap_or_default());
        // An attempt without a score is none: the task is tried again.
        let scored = |of: Vec<Option<f64>>| of.into_iter().flatten().map(GateOutcome::from).collect();
        Ok(Self {
            outcomes: outcomes.map(scored).collect(),
            tasks,
            pack: None,
            scorer: report.scorer,
            report: None,
            run: None,
        })
    }
}
