//! What a whole run would give, from the items that tell most.
//!
//! Reports of other models say how hard each item is (a Rasch model, [`rasch`]); a new model is
//! then asked the items whose answers are least foreseeable, which is where a Rasch model's
//! information is largest (Birnbaum 1968; van der Linden, Glas 2000, *Computerized Adaptive
//! Testing*), until the run of all items is known to the wished half width. What is estimated is
//! that whole run: the answers that were given, and the expected ones of the items that were left
//! out. A number for oneself, never one to hand in.
//!
//! Pure: [`AdaptivePlan::next`] says from all answers so far which items to ask next, or what the
//! whole run comes to.

mod bank;
mod plan;
pub mod rasch;
pub mod simulation;
#[cfg(test)]
mod tests;

pub use plan::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan, AdaptiveRefusal, AdaptiveStep};
