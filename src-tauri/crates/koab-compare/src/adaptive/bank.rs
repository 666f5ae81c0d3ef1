//! Solved tasks of a pack according to the reports of the library. One report per model is used,
//! and reports without a score for too many tasks are not used.

use crate::Compare;
use crate::scored::scores;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::task::Task;
use koab_runs::DryRun;
use koab_workspace::WireError;
use std::collections::{BTreeMap, BTreeSet};

/// Smallest share of the tasks that a report must have. A report of fewer tasks shows too little
/// about the difficulty of the other tasks.
const MIN_TASK_SHARE: f64 = 0.9;

/// The tasks of a pack, and the models that solved them.
pub(super) struct Bank {
    /// Task ids in the pack's order.
    pub(super) tasks: Vec<String>,
    /// Model ids, in the order of the rows of `solved`.
    pub(super) models: Vec<String>,
    /// Whether each model solved each task, one row per model; `None` without a score.
    pub(super) solved: Vec<Vec<Option<bool>>>,
}

impl Compare {
    /// Collects the newest report of every model except the model of the adaptive run.
    pub(super) fn bank(
        &self,
        dry_run: &DryRun,
        scorer: Protocol,
        metric: MetricId,
    ) -> Result<Bank, WireError> {
        let pack = self.workspace.load_pack(&self.workspace.pack_of_label(&dry_run.pack)?)?;
        let of_pack: Vec<&str> = pack.tasks.values().flatten().map(|task: &Task| task.id.as_str()).collect();
        let pack_ids: BTreeSet<&str> = of_pack.iter().copied().collect();
        let mut reports: Vec<(String, BTreeMap<String, f64>)> = Vec::new();
        for row in self.runs.library.reports_library()? {
            let is_other =
                row.model != dry_run.model && row.pack.as_ref().is_none_or(|of| *of == dry_run.pack);
            // Attempts that failed for technical reasons may count as wrong answers, which says
            // nothing about their tasks.
            let is_measured = row.attempts.is_none_or(|made_of| made_of.failed == 0);
            if !is_other || row.scorer != scorer || !is_measured {
                continue;
            }
            let Ok(open) = self.runs.library.open_report(&row.id) else {
                continue;
            };
            let all = scores(&open.loaded.report, metric);
            // A report without a pack label counts if it has no task of another pack.
            if all.keys().all(|task| pack_ids.contains(task)) {
                let all = all.into_iter().filter_map(|(task, score)| Some((task.to_owned(), score?)));
                reports.push((row.model, all.collect()));
            }
        }
        let tasks = of_pack.into_iter();
        let tasks = tasks.filter(|task| reports.iter().any(|(_, scores)| scores.contains_key(*task)));
        let tasks: Vec<String> = tasks.map(str::to_owned).collect();
        let least = MIN_TASK_SHARE * tasks.len() as f64;
        let (mut models, mut solved) = (Vec::new(), Vec::new());
        for (model, scores) in reports {
            // With several attempts per task a score can be a fraction.
            let is_yes_or_no = scores.values().all(|score| *score == 0.0 || *score == 1.0);
            if scores.len() as f64 >= least && is_yes_or_no && !models.contains(&model) {
                solved.push(tasks.iter().map(|task| scores.get(task).map(|score| *score >= 1.0)).collect());
                models.push(model);
            }
        }
        Ok(Bank { tasks, models, solved })
    }
}
