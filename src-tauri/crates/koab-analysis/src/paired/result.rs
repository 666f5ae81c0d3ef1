//! How two reports are compared, and what comes of it.

use super::WantedFigure;
use koab_core::level::Level;
use koab_core::measured::Interval;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::interval::{DRAWS, SEED};
use serde::{Deserialize, Serialize};

/// The most that may be asked for: more would change no figure that is shown.
pub const MOST_DRAWS: usize = 200_000;
/// Below this, a p value separates two reports.
pub const ALPHA: f64 = 0.05;
/// A difference that is worth knowing of: 5 points of 100.
pub const MARGIN: f64 = 0.05;

/// How two reports are compared.
#[derive(Clone, Debug)]
pub struct PairOptions {
    /// Only these figures; empty for all, composites among them.
    pub wanted: Vec<WantedFigure>,
    /// Why figures that judges decide are not tested; `None` when they are.
    pub judged: Option<Sentence>,
    /// Where draws begin.
    pub seed: u64,
    /// How many, 1 to [`MOST_DRAWS`].
    pub draws: usize,
}

impl Default for PairOptions {
    fn default() -> Self {
        Self { wanted: Vec::new(), judged: None, seed: SEED, draws: DRAWS }
    }
}

/// Figures that are shown in one table and corrected together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Each metric once: the common ones over all tasks, a level's own over its level.
    Metrics,
    /// The levels' scores, each the mean of the level's own metrics.
    Levels,
    /// Readings of the composite score.
    Composites,
    /// The common metrics level by level.
    Common,
}

/// Which test gave a p value. All are two-sided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PairTestKind {
    /// McNemar's exact test on the tasks that only one of the two solved.
    Mcnemar,
    /// Every assignment of signs to the tasks' differences.
    FlipsAll,
    /// Signs drawn at random; the p value is (b + 1) / (n + 1).
    FlipsDrawn,
}

/// What an effect size is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    /// Cohen's g: of the tasks that only one solved, the second's share less one half.
    CohenG,
    /// Mean of the tasks' differences over their standard deviation.
    Standardized,
}

/// What a test comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum PairVerdict {
    /// The first is better.
    First,
    /// The second is better.
    Second,
    /// They no significant difference.
    NotSeparated,
    /// There is no test, for a reason.
    Untested,
}

/// What it would take to separate the two, if the difference that was seen is the true one: power
/// 0.8 at 0.05 two-sided, before any correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Needs {
    /// Further tasks of the same kind.
    pub more_tasks: u32,
    /// How many times as many attempts a task at least, should new tasks not be had: as if all
    /// spread came from chance within the tasks, of which one report does not know.
    pub times: u32,
}

/// One figure of two reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairTest {
    /// Its level; null for a figure over several.
    pub level: Option<Level>,
    /// The metric; null for a level's score or a composite.
    pub metric: Option<MetricId>,
    /// Name of the composite's reading; null for everything else.
    pub variant: Option<String>,
    /// Tasks that both have a score of.
    pub tasks: u32,
    /// Tasks of the same levels that only one has, or one has no score of.
    pub left_out: u32,
    /// The first report's number over these tasks.
    pub first: Option<f64>,
    /// The second's.
    pub second: Option<f64>,
    /// The second's less the first's.
    pub difference: Option<f64>,
    /// 95 % interval of the difference.
    pub interval: Option<Interval>,
    /// Why there is none although there is a difference.
    pub no_interval: Option<Sentence>,
    /// Tasks on which the second did better.
    pub won: u32,
    /// Tasks on which the first did better.
    pub lost: u32,
    /// Tasks on which both did the same.
    pub tied: u32,
    /// Which test.
    pub test: Option<PairTestKind>,
    /// Its p value.
    pub p: Option<f64>,
    /// The same after Holm's correction.
    pub holm: Option<f64>,
    /// The number of tests that this correction goes over, this one among them; null when there is
    /// no test.
    pub corrected_over: Option<u32>,
    /// How large the difference is by the spread between tasks; positive when the second is better.
    pub effect: Option<f64>,
    /// What `effect` is.
    pub effect_kind: Option<EffectKind>,
    /// Why there is none although there is a test.
    pub no_effect: Option<Sentence>,
    /// What it would take to separate them; null when they are, or when it cannot be told.
    pub needs: Option<Needs>,
    /// Why it cannot be told.
    pub no_needs: Option<Sentence>,
    /// Tasks in all that would separate a true difference of 0.05 with power 0.8 at 0.05 two-sided,
    /// before any correction, by the spread that was seen; null without a test or a spread.
    pub tasks_for_margin: Option<u32>,
    /// By the corrected p value.
    pub verdict: PairVerdict,
    /// Why there is no test.
    pub reason: Option<Sentence>,
}

/// The figures of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FamilyTests {
    /// Which.
    pub family: Family,
    /// All of them, in report order.
    pub tests: Vec<PairTest>,
}

/// Everything that can be said about the difference of two reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PairTests {
    /// Families that have figures.
    pub families: Vec<FamilyTests>,
    /// Tasks that both have.
    pub tasks: u32,
    /// Tasks that only one has.
    pub left_out: u32,
    /// Draws of intervals and of signs.
    pub draws: u32,
    /// Where they began.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub seed: u64,
}
