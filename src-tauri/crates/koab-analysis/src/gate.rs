//! Did a change make a model worse? Attempts are made until the answer is known, and no longer.
//!
//! The question is about the mean of a metric over the pack's fixed tasks, the candidate's less the
//! baseline's. A pass says that it is not below the margin, a fail that it is below 0; each of the
//! two sentences is wrong at most as often as `alpha` allows, however often one looks (paired
//! non-inferiority by group-sequential tests: Jennison, Turnbull 1999).
//!
//! Attempts are made in pairs, one a side, on tasks that are drawn within their stratum, and strata
//! get as many as earlier reports say they need (Neyman 1934). As the strata are weighted back by
//! their tasks and nothing that the gate sees changes which share of the attempts a stratum gets,
//! the estimate is unbiased at every look. That needs earlier reports without the baseline's own:
//! what the baseline happened to solve must not decide where it is tried again.
//!
//! Pure: [`GatePlan::next`] says from all outcomes so far what to try next, or what the answer is.

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
