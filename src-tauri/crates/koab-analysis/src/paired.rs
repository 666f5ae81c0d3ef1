//! Two reports on the same tasks: which differences are more than chance, and how sure that is.
//!
//! Every figure here is a weighted sum of means over tasks, so each task adds a share of the difference, and the two
//! reports' shares of one task belong together: they are compared task by task. A metric that says yes or no of a task has
//! the exact McNemar test ([`mcnemar`]), everything else the sign-flip permutation test ([`signflip`]); differences have
//! percentile bootstrap intervals over tasks, drawn within their levels. p values of the figures shown together are
//! corrected by Holm. Method, formulas and sources: `docs/design/comparison.md`.
//!
//! Whether two reports may be compared at all is not decided here but by [`koab_core::comparability`]. A level that both have
//! in part is compared on the tasks that both have, and the number of those left out stands beside.
//!
//! ```
//! use koab_analysis::paired;
//! use koab_core::report::read_json;
//! use serde_json::json;
//!
//! let report = |solved: [f64; 3]| {
//!     let tasks: Vec<_> = solved.iter().enumerate().map(|(n, score)| json!({
//!         "task_id": n.to_string(), "success": true, "metrics": {"Coverage": {"score": score, "details": {}}},
//!     })).collect();
//!     let mean = solved.iter().sum::<f64>() / 3.0;
//!     let document = json!({"summary": {}, "by_level": {
//!         "L4": {"metrics": {"Coverage": mean}, "task_evaluations": tasks},
//!     }});
//!     read_json(document.to_string().as_bytes()).map(|read| read.report)
//! };
//! let (one, other) = (report([0.0, 0.0, 0.5])?, report([0.5, 1.0, 1.0])?);
//! let tests = paired::compare_pair(&one, &other, &paired::PairOptions::default());
//! let coverage = &tests.families[0].tests[0];
//! // With three tasks, one in four ways to give the signs is as one-sided as this.
//! assert_eq!(coverage.p, Some(0.25));
//! assert_eq!(coverage.verdict, paired::PairVerdict::NotSeparated);
//! # Ok::<(), koab_core::report::NoReport>(())
//! ```

mod draws;
mod figure;
pub mod holm;
mod level_pair;
pub mod matrix;
pub mod mcnemar;
mod outcomes;
pub mod power;
pub mod ranks;
mod row;
pub mod signflip;
#[cfg(test)]
mod tests;

pub use outcomes::Outcomes;

use draws::Draws;
use figure::Figure;
use koab_core::level::Level;
use koab_core::measured::Interval;
use koab_core::report::Report;
pub use koab_core::report::interval::{DRAWS, SEED};
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// The most that may be asked for: more would change no figure that is shown.
pub const MOST_DRAWS: usize = 200_000;
/// Below this, a p value separates two reports.
pub const ALPHA: f64 = 0.05;

/// How two reports are compared.
#[derive(Clone, Debug)]
pub struct PairOptions {
    /// Only these metrics; empty for all, and with level scores and composites as well.
    pub metrics: Vec<MetricId>,
    /// Why figures that judges decide are not tested; `None` when they are.
    pub judged: Option<Sentence>,
    /// Where draws begin.
    pub seed: u64,
    /// How many, 1 to [`MOST_DRAWS`].
    pub draws: usize,
}

impl Default for PairOptions {
    fn default() -> Self {
        Self {
            metrics: Vec::new(),
            judged: None,
            seed: SEED,
            draws: DRAWS,
        }
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
    /// They cannot be told apart.
    NotSeparated,
    /// There is no test, for a reason.
    Untested,
}

/// What it would take to separate the two, if the difference that was seen is the true one: power 0.8 at 0.05 two-sided,
/// before any correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Needs {
    /// Further tasks of the same kind.
    pub more_tasks: u32,
    /// How many times as many attempts a task at least, should new tasks not be had: as if all spread came from chance
    /// within the tasks, of which one report does not know.
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
    /// The same after Holm's correction for the family.
    pub holm: Option<f64>,
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
    /// Figures that were tested, for which Holm corrects.
    pub tested: u32,
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

/// Tests every figure that either report has.
pub fn compare_pair(first: &Report, second: &Report, options: &PairOptions) -> PairTests {
    let levels = level_pair::pair_levels(first, second);
    let draws = Draws::of(
        &levels,
        &options.metrics,
        options.seed,
        options.draws.clamp(1, MOST_DRAWS),
    );
    let reports = [first, second];
    let mut families: Vec<FamilyTests> = Vec::new();
    for (family, figures) in figure::families(reports, &options.metrics) {
        let mut tests: Vec<PairTest> = figures
            .iter()
            .map(|figure: &Figure| row::test(figure, reports, &levels, &draws, options))
            .collect();
        let tested = row::correct(&mut tests);
        families.push(FamilyTests {
            family,
            tested,
            tests,
        });
    }
    PairTests {
        families,
        tasks: levels.iter().map(|level| level.tasks as u32).sum(),
        left_out: levels.iter().map(|level| level.left_out as u32).sum(),
        draws: draws.count as u32,
        seed: options.seed,
    }
}
