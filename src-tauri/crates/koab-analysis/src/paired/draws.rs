//! Bootstrap draws of two reports. Tasks are drawn with replacement within their level, with all
//! metrics of a task together.

use super::WantedFigure;
use super::level_pair::LevelPair;
use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_report::interval;

/// Difference of every level mean in each draw.
pub(super) struct Draws {
    pub(super) count: usize,
    means: Vec<(Level, MetricId, Vec<f64>)>,
}

impl Draws {
    /// Draws the metrics that the figures in `wanted` need, or all metrics if `wanted` is empty.
    /// `wanted` does not influence the drawn tasks.
    pub(super) fn draw(levels: &[LevelPair], wanted: &[WantedFigure], seed: u64, count: usize) -> Self {
        let mut means = Vec::new();
        for pair in levels {
            let of_level = pair.columns().iter();
            let is_wanted = |metric| wanted.iter().any(|one| one.takes(&pair.level, metric));
            let columns: Vec<_> =
                of_level.filter(|(metric, _)| wanted.is_empty() || is_wanted(*metric)).collect();
            let differences: Vec<Vec<Option<f64>>> = columns
                .iter()
                .map(|(_, column)| {
                    let difference = |scores: &Option<[f64; 2]>| scores.map(|[one, other]| other - one);
                    column.iter().map(difference).collect()
                })
                .collect();
            let resampled = interval::resample(&differences, seed ^ pair.level.seed(), count);
            let by_metric = columns.into_iter().zip(resampled);
            means.extend(by_metric.map(|((metric, _), resampled)| (pair.level.clone(), *metric, resampled)));
        }
        Self { count, means }
    }

    /// Weighted sum of means in each draw. A draw is left out if one of the means has no score.
    pub(super) fn sum(&self, parts: &[(Level, MetricId, f64)]) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for (level, metric, weight) in parts {
            let means = self.means.iter().find(|(of, id, _)| (of, id) == (level, metric));
            for (sum, drawn) in sums.iter_mut().zip(means.map_or(&[][..], |(_, _, drawn)| drawn)) {
                *sum += drawn * weight;
            }
        }
        sums.retain(|sum| !sum.is_nan());
        sums
    }
}
