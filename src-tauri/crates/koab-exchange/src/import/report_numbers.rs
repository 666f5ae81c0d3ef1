//! Compares the numbers of reports, to decide whether a summary or a row of a combined table
//! belongs to a given report.

use koab_core::level::Level;
use koab_report::Report;
use koab_store::runs;
use std::collections::BTreeMap;

/// Columns of a summary that are not metrics, with their number of decimals.
const FIGURES: [(&str, usize); 4] =
    [("average_execution_time", 2), ("average_tokens_per_task", 2), ("average_tps", 2), ("ttft.average", 4)];

/// Numbers of a report, rounded to the decimals of a summary.
#[derive(Clone, Debug)]
pub(super) struct ReportNumbers {
    model: String,
    levels: Vec<Level>,
    means: BTreeMap<(Level, &'static str), String>,
    figures: BTreeMap<(Level, &'static str), String>,
}

impl ReportNumbers {
    pub(super) fn from_report(report: &Report, model: &str) -> Self {
        let (mut means, mut figures) = (BTreeMap::new(), BTreeMap::new());
        for level in &report.levels {
            for mean in &level.means {
                if let Some(value) = mean.figure.value() {
                    means.insert((level.level.clone(), mean.metric.name()), format!("{value:.4}"));
                }
            }
            for (name, decimals) in FIGURES {
                if let Some(figure) = level.figure(name) {
                    figures.insert((level.level.clone(), name), format!("{figure:.decimals$}"));
                }
            }
            if let Some(tasks) = level.total_tasks {
                figures.insert((level.level.clone(), "total"), tasks.to_string());
            }
            if let Some(tasks) = level.evaluated_tasks {
                figures.insert((level.level.clone(), "evaluated"), tasks.to_string());
            }
        }
        Self {
            model: model.to_owned(),
            levels: report.levels.iter().map(|level| level.level.clone()).collect(),
            means,
            figures,
        }
    }

    /// Whether both numbers are of the same report.
    ///
    /// Reports are the same if they have the same levels and all numbers that both have are equal.
    /// If the names of the models differ, every level must also have a measured time.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        let same_model = [(self, other), (other, self)]
            .into_iter()
            .any(|(one, other)| runs::is_of_model(&runs::model_folder(&one.model), &other.model));
        self.is_in_folder_with(other) && (same_model || self.is_measured())
    }

    /// Whether a summary belongs to the report in its folder. A summary does not name its model, so
    /// the names of models are not compared.
    pub(super) fn is_in_folder_with(&self, report: &Self) -> bool {
        self.levels == report.levels
            && agree(&self.means, &report.means).is_some_and(|shared| shared > 0)
            && agree(&self.figures, &report.figures).is_some()
    }

    /// Number of means in the report.
    pub(super) fn mean_count(&self) -> usize {
        self.means.len()
    }

    /// Level and metric of each mean that the other file lacks.
    pub(super) fn beyond(&self, other: &Self) -> Vec<String> {
        let more = self.means.keys().filter(|key| !other.means.contains_key(*key));
        more.map(|(level, metric)| format!("{level} {metric}")).collect()
    }

    /// Whether every level has an average time of at least a second. Two runs hardly ever have
    /// equal times of this length.
    fn is_measured(&self) -> bool {
        let time = |level: &Level| self.figures.get(&(level.clone(), FIGURES[0].0));
        self.levels
            .iter()
            .all(|level| time(level).is_some_and(|seconds| seconds.parse::<f64>().is_ok_and(|s| s >= 1.0)))
    }
}

/// Number of values that two reports have in common. `None` if any value differs.
fn agree(
    one: &BTreeMap<(Level, &'static str), String>,
    other: &BTreeMap<(Level, &'static str), String>,
) -> Option<usize> {
    let shared: Vec<bool> = one.iter().filter_map(|(key, value)| Some(other.get(key)? == value)).collect();
    shared.iter().all(|same| *same).then_some(shared.len())
}
