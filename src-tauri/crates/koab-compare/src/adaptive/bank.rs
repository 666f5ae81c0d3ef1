//! What the reports at hand say of a pack's tasks: a report a model, those that have nearly all of
//! them.

use crate::Compare;
use crate::scored::scores;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::task::Task;
use koab_runs::{DryRun, WireError};
use std::collections::{BTreeMap, BTreeSet};

/// The share of the tasks that a report has to have: one of few tasks says nothing of the others.
const LEAST_SHARE: f64 = 0.9;

/// The tasks, and which models solved them.
pub(super) struct Bank {
    /// In the pack's order.
    pub(super) tasks: Vec<String>,
    /// Model by model.
    pub(super) models: Vec<String>,
    /// Model by model, task by task.
    pub(super) solved: Vec<Vec<Option<bool>>>,
}

impl Compare {
    /// The newest report of every other model.
    pub(super) fn bank(
        &self,
        planned: &DryRun,
        scorer: Protocol,
        metric: MetricId,
    ) -> Result<Bank, WireError> {
        let pack = self.workspace.load_pack(&self.workspace.pack_of_label(&planned.pack)?)?;
        let of_pack: Vec<&str> = pack.tasks.values().flatten().map(|task: &Task| task.id.as_str()).collect();
        let known: BTreeSet<&str> = of_pack.iter().copied().collect();
        let mut reports: Vec<(String, BTreeMap<String, f64>)> = Vec::new();
        for row in self.runs.library.reports_library()? {
            let is_other =
                row.model != planned.model && row.pack.as_ref().is_none_or(|of| *of == planned.pack);
            // What failed for technical reasons may stand there as a wrong answer, and says nothing
            // of its task.
            let is_measured = row.attempts.is_none_or(|made_of| made_of.failed == 0);
            if !is_other || row.scorer != scorer || !is_measured {
                continue;
            }
            let Ok(open) = self.runs.library.open_report(&row.id) else {
                continue;
            };
            let all = scores(&open.loaded.report, metric);
            // A report that does not say its pack is of this one where it has no task of another.
            if all.keys().all(|task| known.contains(task)) {
                let all = all.into_iter().filter_map(|(task, score)| Some((task.to_owned(), score?)));
                reports.push((row.model, all.collect()));
            }
        }
        let tasks = of_pack.into_iter();
        let tasks = tasks.filter(|task| reports.iter().any(|(_, scores)| scores.contains_key(*task)));
        let tasks: Vec<String> = tasks.map(str::to_owned).collect();
        let least = LEAST_SHARE * tasks.len() as f64;
        let (mut models, mut solved) = (Vec::new(), Vec::new());
        for (model, scores) in reports {
            // Of several attempts a share can have been solved.
            let is_yes_or_no = scores.values().all(|score| *score == 0.0 || *score == 1.0);
            if scores.len() as f64 >= least && is_yes_or_no && !models.contains(&model) {
                solved.push(tasks.iter().map(|task| scores.get(task).map(|score| *score >= 1.0)).collect());
                models.push(model);
            }
        }
        Ok(Bank { tasks, models, solved })
    }
}
