//! Options and results of the comparison of two reports.

use super::WantedFigure;
use koab_core::level::Level;
use koab_core::measured::Interval;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::interval::{DRAWS, SEED};
use serde::{Deserialize, Serialize};

/// Maximum number of draws that may be requested. More draws would not change any figure as it is
/// shown.
pub const MOST_DRAWS: usize = 200_000;
/// Significance level: a p value below it separates two reports.
pub const ALPHA: f64 = 0.05;
/// Smallest difference of practical importance: 5 points of 100.
pub const MARGIN: f64 = 0.05;

/// Options of the comparison of two reports.
#[derive(Clone, Debug)]
pub struct PairOptions {
    /// Figures to test. If empty, all figures are tested, including composite scores.
    pub wanted: Vec<WantedFigure>,
    /// Reason why figures that judges decide are not tested; `None` if they are tested.
    pub judged: Option<Sentence>,
    /// Seed of the draws.
    pub seed: u64,
    /// Number of draws, 1 to [`MOST_DRAWS`].
    pub draws: usize,
}

impl Default for PairOptions {
    fn default() -> Self {
        Self { wanted: Vec::new(), judged: None, seed: SEED, draws: DRAWS }
    }
}

/// Group of figures that are shown in one table and whose p values are corrected together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Each metric once: metrics that all levels have (such as SR) over all tasks, other metrics
    /// over their level.
    Metrics,
    /// The levels' scores, each the mean of the level's own metrics.
    Levels,
    /// Readings of the composite score.
    Composites,
    /// The metrics that all levels have, such as SR, for each level alone.
    Common,
}

/// Test that gave a p value. All tests are two-sided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PairTestKind {
    /// McNemar's exact test on the tasks that only one of the two reports solved.
    Mcnemar,
    /// Sign-flip test over every assignment of signs to the tasks' differences.
    FlipsAll,
    /// Sign-flip test over randomly drawn signs. The p value is (b + 1) / (n + 1).
    FlipsDrawn,
}

/// Kind of an effect size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    /// Cohen's g: the second report's share of the tasks that only one report solved, minus one
    /// half.
    CohenG,
    /// Mean of the tasks' differences divided by their standard deviation.
    Standardized,
}

/// Conclusion from a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PairVerdict {
    /// The first report is better.
    First,
    /// The second report is better.
    Second,
    /// There is no significant difference.
    NotSeparated,
    /// There is no test, for a reason.
    Untested,
}

/// Effort that would separate the two reports if the observed difference were the true one.
///
/// The power is 0.8 at a two-sided level of 0.05, before any correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Needs {
    /// Number of further tasks of the same kind.
    pub more_tasks: u32,
    /// Minimum factor for the attempts per task, if there are no new tasks.
    ///
    /// The factor assumes that all spread comes from chance within the tasks, which one report
    /// cannot show.
    pub times: u32,
}

/// Test of one figure of two reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairTest {
    /// Level of the figure; null for a figure over several levels.
    pub level: Option<Level>,
    /// Metric of the figure; null for a level's score or a composite.
    pub metric: Option<MetricId>,
    /// Name of the composite's reading; null for everything else.
    pub variant: Option<String>,
    /// Number of tasks that both reports have a score of.
    pub tasks: u32,
    /// Number of tasks of the same levels that only one report has, or that one report has no score
    /// of.
    pub left_out: u32,
    /// Value of the first report over the tasks that both have a score of.
    pub first: Option<f64>,
    /// Value of the second report over the tasks that both have a score of.
    pub second: Option<f64>,
    /// Value of the second report minus that of the first.
    pub difference: Option<f64>,
    /// 95 % interval of the difference.
    pub interval: Option<Interval>,
    /// Reason why there is no interval although there is a difference.
    pub no_interval: Option<Sentence>,
    /// Number of tasks on which the second report did better.
    pub won: u32,
    /// Number of tasks on which the first report did better.
    pub lost: u32,
    /// Number of tasks on which both reports did equally well.
    pub tied: u32,
    /// Kind of the test.
    pub test: Option<PairTestKind>,
    /// p value of the test.
    pub p: Option<f64>,
    /// p value after Holm's correction.
    pub holm: Option<f64>,
    /// Number of tests that the correction covers, including this one; null when there is no test.
    pub corrected_over: Option<u32>,
    /// Effect size: the difference relative to the spread between tasks; positive when the second
    /// report is better.
    pub effect: Option<f64>,
    /// Kind of the effect size.
    pub effect_kind: Option<EffectKind>,
    /// Reason why there is no effect size although there is a test.
    pub no_effect: Option<Sentence>,
    /// Effort that would separate the reports; null when they are separated, or when it is unknown.
    pub needs: Option<Needs>,
    /// Reason why the effort is unknown.
    pub no_needs: Option<Sentence>,
    /// Total number of tasks that would separate a true difference of 0.05, for the observed
    /// spread; null without a test or a spread.
    ///
    /// The power is 0.8 at a two-sided level of 0.05, before any correction.
    pub tasks_for_margin: Option<u32>,
    /// Conclusion from the corrected p value.
    pub verdict: PairVerdict,
    /// Reason why there is no test.
    pub reason: Option<Sentence>,
}

/// Tests of the figures of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FamilyTests {
    /// Family of the figures.
    pub family: Family,
    /// Tests of all figures, in report order.
    pub tests: Vec<PairTest>,
}

/// Results of the comparison of two reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairTests {
    /// Families that have figures.
    pub families: Vec<FamilyTests>,
    /// Number of tasks that both reports have.
    pub tasks: u32,
    /// Number of tasks that only one report has.
    pub left_out: u32,
    /// Number of draws of intervals and of signs.
    pub draws: u32,
    /// Seed of the draws.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub seed: u64,
}
