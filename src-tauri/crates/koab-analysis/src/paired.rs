//! Comparison of two reports on the same tasks: which differences are more than chance, and how
//! certain that is.
//!
//! Every figure is a weighted sum of means over tasks, so each task contributes to the difference,
//! and the reports are compared task by task. A yes-or-no metric has the exact McNemar test
//! ([`mcnemar`]), everything else the sign-flip permutation test ([`signflip`]). Differences have
//! percentile bootstrap intervals over tasks, which are drawn within their levels. The p values of
//! the figures that are shown together are corrected by Holm. Method, formulas and sources:
//! `docs/design/comparison.md`.
//!
//! [`koab_report::comparability`] decides whether two reports may be compared at all. A level of
//! which each report has only a part is compared on the tasks that both have, and the number of the
//! tasks left out is reported.
//!
//! ```
//! use koab_analysis::paired;
//! use koab_report::read_json;
//! use serde_json::json;
//!
//! let report = |solved: [f64; 3]| {
//!     let tasks: Vec<_> = solved.iter().enumerate().map(|(n, score)| json!({
//!         "task_id": n.to_string(), "success": true,
//!         "metrics": {"Coverage": {"score": score, "details": {}}},
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
//! # Ok::<(), koab_report::NoReport>(())
//! ```

mod conclusion;
mod draws;
mod figure;
pub mod holm;
mod level_pair;
mod margin;
pub mod matrix;
pub mod mcnemar;
mod outcomes;
mod pool;
pub mod power;
pub mod ranks;
mod result;
mod row;
pub mod signflip;
#[cfg(test)]
mod tests;
mod wanted;

pub use conclusion::{Conclusion, conclude, refuse};
pub use outcomes::Outcomes;
pub use pool::correct_together;
pub use result::{
    ALPHA, EffectKind, Family, FamilyTests, MARGIN, MOST_DRAWS, Needs, PairOptions, PairTest, PairTestKind,
    PairTests, PairVerdict,
};
pub use wanted::{UnknownFigure, WantedFigure};

use draws::Draws;
use figure::Figure;
use koab_report::Report;
pub use koab_report::interval::{DRAWS, SEED};

/// Tests every figure that at least one of the reports has. The p values are corrected over this
/// pair alone; [`correct_together`] corrects several pairs.
pub fn compare_pair(first: &Report, second: &Report, options: &PairOptions) -> PairTests {
    let levels = level_pair::pair_levels(first, second);
    let draws = Draws::draw(&levels, &options.wanted, options.seed, options.draws.clamp(1, MOST_DRAWS));
    let reports = [first, second];
    let mut families: Vec<FamilyTests> = Vec::new();
    for (family, figures) in figure::families(reports, &options.wanted) {
        let tests = figures
            .iter()
            .map(|figure: &Figure| row::test(figure, reports, &levels, &draws, options))
            .collect();
        families.push(FamilyTests { family, tests });
    }
    let mut tests = PairTests {
        families,
        tasks: levels.iter().map(|level| level.tasks as u32).sum(),
        left_out: levels.iter().map(|level| level.left_out as u32).sum(),
        draws: draws.count as u32,
        seed: options.seed,
    };
    correct_together(std::slice::from_mut(&mut tests));
    tests
}
