//! One number for a level, where a screen has room for one.

use super::LevelReport;
use crate::level::Level;
use crate::python::naive_sum;
use crate::reason::Reason;
use crate::score::MetricId;
use crate::score::composite::Part;

/// The plain mean of the metrics that are a level's own, of those in the published December reports.
///
/// It is what the composite's reading "level mean" takes of a level; L4, which no composite counts, has one as well.
pub type LevelScore = Part;

/// The metrics that a level's score is made of, in registry order.
pub fn own_metrics(level: Level) -> impl Iterator<Item = MetricId> {
    MetricId::ALL
        .into_iter()
        .filter(move |id| id.level() == Some(level) && id.is_in_head())
}

/// The score of a level; without a value as soon as one of its metrics has none.
pub fn level_score(report: &LevelReport) -> LevelScore {
    let mean = |id: MetricId| -> Result<f64, String> {
        let mean = report.mean(id).ok_or_else(|| Reason::LacksMetric {
            metric: id.to_string(),
        })?;
        mean.value.ok_or_else(|| {
            let of = Reason::OfOne {
                one: id.to_string(),
                reason: mean.reason.clone().unwrap_or_else(|| Reason::Unscored {}.into()),
            };
            of.to_string()
        })
    };
    let means: Result<Vec<f64>, String> = own_metrics(report.level).map(mean).collect();
    Part::from(means.map(|means| naive_sum(means.iter().copied()) / means.len() as f64))
}
