//! A level of two reports, task by task.

use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_report::{Report, TaskReport, levels_of};
use std::collections::HashMap;

/// Tasks of a level that both reports have, in the first report's order.
pub(super) struct LevelPair {
    pub(super) level: Level,
    pub(super) tasks: usize,
    /// Number of tasks that only one report has.
    pub(super) left_out: usize,
    columns: Vec<(MetricId, Column)>,
}

/// Scores of a metric, one entry per task; `None` where a report has no score of the task.
pub(super) type Column = Vec<Option<[f64; 2]>>;

impl LevelPair {
    pub(super) fn column(&self, metric: MetricId) -> Option<&Column> {
        let mut columns = self.columns.iter();
        columns.find(|(id, _)| *id == metric).map(|(_, column)| column)
    }

    pub(super) fn columns(&self) -> &[(MetricId, Column)] {
        &self.columns
    }
}

/// Pairs the levels that both reports have.
pub(super) fn pair_levels(first: &Report, second: &Report) -> Vec<LevelPair> {
    levels_of([first])
        .into_iter()
        .filter_map(|level| {
            let (one, other) = (first.level(level)?, second.level(level)?);
            let by_id: HashMap<&str, &TaskReport> =
                other.tasks.iter().map(|task| (task.id.as_str(), task)).collect();
            let both: Vec<[&TaskReport; 2]> =
                one.tasks.iter().filter_map(|task| Some([task, *by_id.get(task.id.as_str())?])).collect();
            let metrics = MetricId::ALL.into_iter();
            let columns = metrics.filter_map(|metric| {
                let scores =
                    |[one, other]: &[&TaskReport; 2]| Some([one.value(metric)?, other.value(metric)?]);
                let column: Column = both.iter().map(scores).collect();
                column.iter().any(Option::is_some).then_some((metric, column))
            });
            Some(LevelPair {
                level: level.clone(),
                tasks: both.len(),
                left_out: one.tasks.len() + other.tasks.len() - 2 * both.len(),
                columns: columns.collect(),
            })
        })
        .collect()
}
