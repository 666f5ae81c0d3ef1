//! 95 % confidence intervals: how far a report's numbers could be from the numbers over more tasks
//! of the same kind.
//!
//! A proportion (each task counts 0 or 1) has Wilson's score interval. Any other mean, and a number
//! that is made of several means, has a percentile bootstrap interval over tasks: tasks are drawn
//! with replacement within their level, with all metrics of a task together, since they come from
//! one conversation. The generator and its seed are fixed, so a report always shows the same
//! interval.

use super::measure::{level_score, overall, own_metrics};
use super::{LevelMean, LevelReport, Report};
use koab_core::level::Level;
use koab_core::measured::{Interval, IntervalMethod, Measured};
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use serde::{Deserialize, Serialize};

/// Default number of draws of a bootstrap or a sign-flip test.
pub const DRAWS: usize = 10_000;
/// 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// Default seed of all draws, so that the same input always gives the same numbers. The seed of a
/// level also includes the level's number.
pub const SEED: u64 = 20_251_219;

/// Interval, or the reason for its absence.
pub type Bounds = Measured<Interval>;

/// Intervals of a report's numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// Intervals of each level, as in the report.
    pub levels: Vec<LevelIntervals>,
    /// Interval of every reading of the composite.
    pub composites: Vec<(CompositeVariant, Bounds)>,
    /// Interval of each mean over the tasks of all levels ([`overall`]).
    pub overall: Vec<(MetricId, Bounds)>,
}

/// Intervals of a level's numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelIntervals {
    /// Level of the numbers.
    pub level: Level,
    /// Interval of each mean, in report order.
    pub means: Vec<(MetricId, Bounds)>,
    /// Interval of the level's score ([`level_score`]).
    pub score: Bounds,
}

/// Wilson's score interval of `successes` out of `tasks`.
///
/// # Errors
/// When there are no tasks.
pub fn wilson(successes: usize, tasks: usize) -> Bounds {
    if tasks == 0 {
        return Err(Reason::NoTasks {}.into());
    }
    let (n, p) = (tasks as f64, successes as f64 / tasks as f64);
    let spread = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / spread;
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / spread;
    Ok(Interval {
        low: (middle - half).max(0.0),
        high: (middle + half).min(1.0),
        method: IntervalMethod::Wilson,
    })
}

/// Percentile bootstrap of the mean of `values`, one per task.
///
/// # Errors
/// When there are fewer than two tasks, or all have the same score.
pub fn bootstrap_mean(values: &[f64]) -> Bounds {
    let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
    spread_of(&values)?;
    let mut draws = resample(&[values], SEED, DRAWS);
    percentiles(&mut draws[0])
}

/// Means of a level's metrics in each draw of its tasks: one list per metric, in report order, with
/// one mean per draw.
///
/// Levels have their own seeds and share no data, so they can be drawn in parallel with the same
/// result.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelDraws(Vec<Vec<f64>>);

/// Draws the tasks of a level.
pub fn draw(level: &LevelReport) -> LevelDraws {
    LevelDraws(draw_level(level))
}

/// All intervals of a report.
pub fn intervals(report: &Report) -> Intervals {
    intervals_of(report, report.levels.iter().map(draw).collect())
}

/// All intervals of a report, from the draws of its levels in the levels' order.
pub fn intervals_of(report: &Report, drawn: Vec<LevelDraws>) -> Intervals {
    let level_draws: Vec<Vec<Vec<f64>>> = drawn.into_iter().map(|LevelDraws(draws)| draws).collect();
    let levels = report.levels.iter().zip(&level_draws).map(|(level, draws)| {
        let means = level.means.iter().zip(draws);
        LevelIntervals {
            level: level.level.clone(),
            means: means
                .map(|(mean, draws)| {
                    let bounds = mean_bounds(level, mean, draws);
                    (mean.metric, bounds)
                })
                .collect(),
            score: score_bounds(level, draws),
        }
    });
    let composites = CompositeVariant::ALL
        .iter()
        .map(|variant| (*variant, composite_bounds(report, *variant, &level_draws)));
    let overall = report.overall_metrics();
    let overall = overall.map(|metric| (metric, overall_bounds(report, metric, &level_draws)));
    Intervals { levels: levels.collect(), composites: composites.collect(), overall: overall.collect() }
}

fn values(level: &LevelReport, metric: MetricId) -> Vec<Option<f64>> {
    level.tasks.iter().map(|task| task.value(metric)).collect()
}

/// Means of the level's metrics in each draw, laid out as in [`LevelDraws`].
fn draw_level(level: &LevelReport) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<Option<f64>>> = level.means.iter().map(|mean| values(level, mean.metric)).collect();
    resample(&columns, SEED ^ level.level.seed(), DRAWS)
}

fn mean_bounds(level: &LevelReport, mean: &LevelMean, draws: &[f64]) -> Bounds {
    mean.figure.measured()?;
    let metric = mean.metric;
    if level.tasks.is_empty() {
        return Err(Reason::SummaryOnly {}.into());
    }
    let values = values(level, metric);
    if let Some(bounds) = proportion_bounds(metric, &values) {
        return bounds;
    }
    spread_of(&values)?;
    percentiles(&mut draws.to_vec())
}

/// Interval of a share of tasks; `None` if some task has a value other than 0 and 1.
fn proportion_bounds<'a>(
    metric: MetricId,
    values: impl IntoIterator<Item = &'a Option<f64>>,
) -> Option<Bounds> {
    let scored: Vec<f64> = values.into_iter().copied().flatten().collect();
    let is_share = metric.is_proportion() && scored.iter().all(|value| *value == 0.0 || *value == 1.0);
    is_share.then(|| wilson(scored.iter().filter(|value| **value == 1.0).count(), scored.len()))
}

fn score_bounds(level: &LevelReport, draws: &[Vec<f64>]) -> Bounds {
    level_score(level)?;
    if level.tasks.is_empty() {
        return Err(Reason::SummaryOnly {}.into());
    }
    if let (None, [only]) = (level.level.place(), level.means.as_slice()) {
        return mean_bounds(level, only, draws.first().map_or(&[], Vec::as_slice));
    }
    let own: Vec<usize> = own_metrics(&level.level)
        .filter_map(|id| level.means.iter().position(|mean| mean.metric == id))
        .collect();
    let share = 1.0 / own.len() as f64;
    let parts: Vec<(&[f64], f64)> =
        own.iter().filter_map(|at| Some((draws.get(*at)?.as_slice(), share))).collect();
    combined(&parts)
}

/// Interval of the composite score. Its draws are the weighted sum of the draws of the means.
fn composite_bounds(report: &Report, variant: CompositeVariant, drawn: &[Vec<Vec<f64>>]) -> Bounds {
    report.composite(variant).composite?;
    if report.levels.iter().all(|level| level.tasks.is_empty()) {
        return Err(Reason::SummaryOnly {}.into());
    }
    let weights = variant.weights();
    let weight = |level: &Level, metric: MetricId| {
        let of = weights.iter().find(|(l, m, _)| (l, *m) == (level, metric));
        of.map_or(0.0, |(.., weight)| *weight)
    };
    let mut parts = Vec::new();
    for (level, draws) in report.levels.iter().zip(drawn) {
        for (mean, draws) in level.means.iter().zip(draws) {
            let weight = weight(&level.level, mean.metric);
            if weight != 0.0 {
                parts.push((draws.as_slice(), weight));
            }
        }
    }
    combined(&parts)
}

/// Interval of a mean over the tasks of all levels. The mean is the sum of the levels' means, each
/// weighted by its share of the tasks.
fn overall_bounds(report: &Report, metric: MetricId, drawn: &[Vec<Vec<f64>>]) -> Bounds {
    overall(report, metric)?;
    if report.levels.iter().any(|level| level.tasks.is_empty()) {
        return Err(Reason::SummaryOnly {}.into());
    }
    let of_levels: Vec<Vec<Option<f64>>> = report.levels.iter().map(|level| values(level, metric)).collect();
    if let Some(bounds) = proportion_bounds(metric, of_levels.iter().flatten()) {
        return bounds;
    }
    let of_metric = report.levels.iter().zip(drawn).map(|(level, draws)| {
        let place = level.means.iter().position(|mean| mean.metric == metric);
        place.map_or(&[][..], |place| draws[place].as_slice())
    });
    over_levels(&of_levels, &of_metric.collect::<Vec<_>>())
}

/// Interval of a mean over tasks of several levels, computed from each level's tasks and its mean
/// in each draw.
pub(super) fn over_levels(of_levels: &[Vec<Option<f64>>], drawn: &[&[f64]]) -> Bounds {
    let all: Vec<Option<f64>> = of_levels.iter().flatten().copied().collect();
    spread_of(&all)?;
    let scored = |values: &[Option<f64>]| values.iter().flatten().count() as f64;
    let tasks = scored(&all);
    let shares = of_levels.iter().map(|values| scored(values) / tasks);
    let parts: Vec<(&[f64], f64)> =
        drawn.iter().copied().zip(shares).filter(|(_, share)| *share > 0.0).collect();
    combined(&parts)
}

fn combined(parts: &[(&[f64], f64)]) -> Bounds {
    let mut sums = vec![0.0; DRAWS];
    for (draws, weight) in parts {
        for (sum, draw) in sums.iter_mut().zip(*draws) {
            *sum += draw * weight;
        }
    }
    if sums.iter().all(|sum| Some(sum) == sums.first()) {
        return Err(Reason::AllTheSame {}.into());
    }
    percentiles(&mut sums)
}

pub(super) fn spread_of(values: &[Option<f64>]) -> Result<(), Sentence> {
    let mut scored = values.iter().copied().flatten();
    let first = scored.next().ok_or(Reason::NoneScored {})?;
    let mut rest = scored.peekable();
    if rest.peek().is_none() {
        return Err(Reason::OneTask {}.into());
    }
    if rest.all(|value| value == first) {
        return Err(Reason::AllTheSame {}.into());
    }
    Ok(())
}

/// Number of columns that are summed in parallel.
const LANES: usize = 8;

/// Means of each column in `count` random draws of the rows, with replacement: one list per column,
/// one mean per draw. A draw without scores in a column gives NaN.
pub fn resample(columns: &[Vec<Option<f64>>], seed: u64, count: usize) -> Vec<Vec<f64>> {
    let rows = columns.first().map_or(0, Vec::len);
    // The numbers of a row are adjacent in memory: its scores, 0 for a missing one, and its counts.
    let laid = |of: fn(Option<f64>) -> f64| -> Vec<Vec<[f64; LANES]>> {
        let lanes = columns.chunks(LANES);
        let number = |lanes: &[Vec<Option<f64>>], row: usize| {
            std::array::from_fn(|lane| lanes.get(lane).map_or(0.0, |column| of(column[row])))
        };
        lanes.map(|lanes| (0..rows).map(|row| number(lanes, row)).collect()).collect()
    };
    let scores = laid(Option::unwrap_or_default);
    let counts = laid(|score| f64::from(u8::from(score.is_some())));
    let all_scored = columns.iter().flatten().all(Option::is_some);
    let mut random = SplitMix(seed);
    let mut draws = vec![Vec::with_capacity(count); columns.len()];
    let mut picked = vec![0; rows];
    for _ in 0..count {
        picked.fill_with(|| random.below(rows));
        for (draws, (scores, counts)) in draws.chunks_mut(LANES).zip(scores.iter().zip(&counts)) {
            let sums = summed(scores, &picked);
            let tasks = if all_scored { [rows as f64; LANES] } else { summed(counts, &picked) };
            for (draws, (sum, tasks)) in draws.iter_mut().zip(sums.iter().zip(tasks)) {
                draws.push(sum / tasks);
            }
        }
    }
    draws
}

fn summed(rows: &[[f64; LANES]], picked: &[usize]) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for row in picked {
        for (sum, number) in sums.iter_mut().zip(rows[*row]) {
            *sum += number;
        }
    }
    sums
}

/// Ends of the 95 % interval of these draws. The function changes the order of the draws.
pub fn percentiles(draws: &mut Vec<f64>) -> Bounds {
    draws.retain(|draw| !draw.is_nan());
    if draws.is_empty() {
        return Err(say!("no resample has a score"));
    }
    Ok(Interval {
        low: quantile(draws, 0.025),
        high: quantile(draws, 0.975),
        method: IntervalMethod::Bootstrap,
    })
}

/// Quantile with linear interpolation, like type 7 of R and NumPy's default.
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    let place = share * (values.len() - 1) as f64;
    let at = place.ceil() as usize;
    let (below, above, _) = values.select_nth_unstable_by(at, f64::total_cmp);
    let above = *above;
    let rest = place - place.floor();
    if rest == 0.0 {
        return above;
    }
    let below = below.iter().copied().max_by(f64::total_cmp).unwrap_or(above);
    below + (above - below) * rest
}

#[cfg(test)]
mod tests;
