//! Computes the score of a level and other single numbers from a report's means.

use super::{LevelReport, Report};
use koab_core::level::Level;
use koab_core::measured::Measured;
use koab_core::python::naive_sum;
use koab_core::reason::Reason;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;

/// Metrics that form a level's score, in report order. A group of another benchmark has only SR.
pub fn own_metrics(level: &Level) -> impl Iterator<Item = MetricId> {
    let own = move |id: &MetricId| match level.place() {
        Some(_) => id.level().as_ref() == Some(level) && id.is_in_head(),
        None => *id == MetricId::Sr,
    };
    MetricId::ALL.into_iter().filter(own)
}

/// Score of a level: the plain mean of the level's own metrics in the published December reports.
///
/// The score has no value if one of these metrics has no value. The composite reading "level mean"
/// uses this score. L4 also has a score, although no composite counts it.
///
/// # Errors
/// The reason why the level has no score.
pub fn level_score(report: &LevelReport) -> Measured {
    let mean = |id: MetricId| -> Result<f64, Sentence> {
        let mean = report.mean(id).ok_or_else(|| Reason::LacksMetric { metric: id.to_string() })?;
        mean.figure.measured().map_err(|reason| {
            let of = Reason::OfOne { one: id.to_string(), reason };
            Sentence::from(of)
        })
    };
    let means: Vec<f64> = own_metrics(&report.level).map(mean).collect::<Measured<_>>()?;
    Ok(naive_sum(means.iter().copied()) / means.len() as f64)
}

/// Metrics that every level has, in report order; these have a mean over all tasks.
pub const OVERALL: [MetricId; 4] = [MetricId::Sr, MetricId::EprCvr, MetricId::PassAtK, MetricId::Rrr];

/// Mean over the tasks of all levels of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct OverallMean {
    /// Mean, with equal weight for each task.
    pub value: f64,
    /// Number of tasks in the mean.
    pub tasks: usize,
}

/// Mean of one of the [`OVERALL`] metrics over all evaluated tasks.
///
/// The published files do not contain this number. For SR it is the model's success rate.
///
/// # Errors
/// The reason why there is no mean: for example, a level lacks the metric.
pub fn overall(report: &Report, metric: MetricId) -> Measured<OverallMean> {
    if let Some(why) = report.unmeasured.as_ref().filter(|_| metric == MetricId::Sr) {
        return Err(why.clone());
    }
    let of_level = |level: &LevelReport| -> Result<(f64, usize), Sentence> {
        let missing = |reason: Sentence| Reason::OfOne { one: level.level.to_string(), reason };
        let mean = level
            .mean(metric)
            .ok_or_else(|| missing(Reason::LacksMetric { metric: metric.to_string() }.into()))?;
        let value = mean.figure.measured().map_err(missing)?;
        let tasks = mean.scored.ok_or_else(|| missing(Reason::FileSilent {}.into()))?;
        Ok((value, tasks))
    };
    let levels: Vec<(f64, usize)> = report.levels.iter().map(of_level).collect::<Measured<_>>()?;
    let tasks: usize = levels.iter().map(|(_, tasks)| tasks).sum();
    if tasks == 0 {
        return Err(Reason::NoTasks {}.into());
    }
    let sum = naive_sum(levels.iter().map(|(value, tasks)| value * *tasks as f64));
    Ok(OverallMean { value: sum / tasks as f64, tasks })
}
