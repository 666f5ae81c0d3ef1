//! Gate: a test of whether a change made a model worse, which ends as soon as the answer is known.
//!
//! The question is about the mean of a metric over the pack's tasks: the candidate's minus the
//! baseline's. A pass states that the candidate is not worse by the margin, a fail states that it
//! is worse. Each statement is wrong with a chance of at most `alpha`, for any number of interim
//! looks (paired non-inferiority by group-sequential tests: Jennison, Turnbull 1999).
//!
//! A stratum is a part of a group of tasks: the tasks on which models differ, or those on which
//! nearly all models have the same result. Attempts are made in pairs, one per side, on tasks that
//! are drawn within their stratum. The number of pairs per stratum follows from earlier reports
//! (Neyman 1934). Strata are weighted back by their number of tasks, and no outcome of the gate
//! changes a stratum's share of the attempts, so the estimate is unbiased at every look. The
//! earlier reports must not include the baseline's own report, since the tasks that the baseline
//! happened to solve must not influence the choice of its further attempts.
//!
//! The module has no side effects: [`GatePlan::next`] takes all outcomes so far and returns the
//! attempts to make next, or the answer.

mod decision;
mod estimate;
mod flips;
mod named_flips;
pub(crate) mod names;
mod next;
mod options;
mod parts;
mod plan;
mod seen;
pub mod simulation;
pub mod spending;
mod strata;
mod summary;
#[cfg(test)]
mod tests;

pub use decision::{GateDecision, GateLook, GateVerdict};
pub use flips::JudgeFlips;
pub use named_flips::NamedFlips;
pub use next::GateStep;
pub use options::{GateOptions, GateRefusal};
pub use plan::GatePlan;
pub use seen::{FlakyTask, GateAttempt, GateOutcome, GateSeen, GateSide};
pub use strata::{GateStratum, GateTask};
pub use summary::{GateNames, GateSummary, NamedFlakyTask};
