//! Adaptive runs: an estimate of the result of a whole run from its most informative items.
//!
//! Reports of other models give the difficulty of each item (a Rasch model, [`rasch`]). A new model
//! is then given the items whose answers are least predictable, where a Rasch model's information
//! is largest (Birnbaum 1968; van der Linden, Glas 2000, *Computerized Adaptive Testing*), until
//! the interval of the whole run has the requested half width. The estimate combines the answers
//! that were given with the expected answers to the items that were left out. It is for the user's
//! own orientation and is never submitted to the leaderboard.
//!
//! The module has no side effects: [`AdaptivePlan::next`] takes all answers so far and returns the
//! items to ask next, or the final estimate.

mod bank;
mod plan;
pub mod rasch;
pub mod simulation;
#[cfg(test)]
mod tests;

pub use plan::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan, AdaptiveRefusal, AdaptiveStep};
