//! Compact data of a report for the comparison of all pairs in a library: one bit per task, solved
//! or not. The library's index stores it.

use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::{LevelReport, Report};
use serde::{Deserialize, Serialize};

/// Yes-or-no metrics of a report, task by task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// Outcomes of each level, as in the report.
    pub levels: Vec<LevelOutcomes>,
    /// Reason why the report has no overall SR; null where it has one.
    #[serde(default)]
    pub unmeasured: Option<Sentence>,
}

/// Yes-or-no metrics of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelOutcomes {
    /// Level of the tasks.
    pub level: Level,
    /// Ids of the level's tasks, in report order.
    pub tasks: Vec<String>,
    /// Metrics that have a mean and score 0 or 1 on every scored task.
    ///
    /// Each has two bit sets: tasks with a score, and tasks with a yes. There is one bit per task,
    /// the lowest first, 64 per word.
    pub metrics: Vec<(MetricId, Vec<u64>, Vec<u64>)>,
}

impl Outcomes {
    /// Outcomes of a report; without levels if only a summary of the report is available.
    pub fn from_report(report: &Report) -> Self {
        let levels = report.levels.iter().filter(|level| !level.tasks.is_empty());
        Self { levels: levels.map(of_level).collect(), unmeasured: report.unmeasured.clone() }
    }
}

fn of_level(level: &LevelReport) -> LevelOutcomes {
    let metrics =
        level.means.iter().filter(|mean| mean.metric.is_proportion() && mean.figure.value().is_some());
    LevelOutcomes {
        level: level.level.clone(),
        tasks: level.tasks.iter().map(|task| task.id.clone()).collect(),
        metrics: metrics
            .filter_map(|mean| {
                let words = level.tasks.len().div_ceil(64);
                let (mut scored, mut solved) = (vec![0; words], vec![0; words]);
                for (at, task) in level.tasks.iter().enumerate() {
                    let Some(score) = task.value(mean.metric) else {
                        continue;
                    };
                    let bit = 1u64 << (at % 64);
                    scored[at / 64] |= bit;
                    if score == 1.0 {
                        solved[at / 64] |= bit;
                    } else if score != 0.0 {
                        return None;
                    }
                }
                Some((mean.metric, scored, solved))
            })
            .collect(),
    }
}
