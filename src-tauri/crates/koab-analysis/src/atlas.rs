//! Failure atlas: rules that find why an attempt lost points, with the place that shows it.
//!
//! The atlas is computed from a run and its report, without any API call. [`sort`] takes one
//! attempt and returns its losses ([`Loss`]) and the [`Finding`]s of all rules that fired, the
//! first cause first. [`loss`] defines what counts as lost, [`Cause`] lists the causes in their
//! order, and `rules` has one file per family of rules. The definition in words, with the measured
//! precision, is in `docs/design/atlas.md`. The caller chooses the attempts.

mod attempt;
mod case;
mod cause;
mod export;
mod facts;
mod finding;
mod heat_map;
mod items;
mod labels;
mod loss;
mod rules;
mod tally;
#[cfg(test)]
mod tests;

pub use attempt::Attempt;
pub use cause::{Cause, CauseNeeds, CauseOwner, UnknownCause};
pub use export::{counts, to_csv, to_markdown};
pub use finding::Finding;
pub use heat_map::to_svg;
pub use items::{FaultCount, ItemFault, fault_counts, item_faults, items_to_csv};
pub use loss::{Loss, Losses, State, Unreachable};
pub use tally::{By, Cell, SortedAttempt, States, Tally, tally};

use case::Case;
use serde::{Deserialize, Serialize};

/// Attempt with its losses and their causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasSorted"))]
pub struct AttemptCauses {
    /// State of the attempt: clean, capped (only points that no model could reach are missing) or
    /// lossy.
    pub state: State,
    /// Metrics that lost points or could not reach 1, in report order.
    pub losses: Vec<Loss>,
    /// Metrics without a score, because no judge has answered.
    pub unscored: Vec<koab_core::score::MetricId>,
    /// Findings, with the first cause first. A cause has one finding for every place that shows it.
    pub findings: Vec<Finding>,
    /// Lost points, summed over the metrics.
    pub lost: f64,
    /// Part of the lost points that a finding explains.
    pub explained: f64,
}

impl AttemptCauses {
    /// First cause; `None` when no rule found a cause.
    pub fn primary(&self) -> Option<Cause> {
        Some(self.findings.first()?.cause)
    }
}

/// Finds the losses of one attempt and their causes.
pub fn sort(attempt: &Attempt<'_>) -> AttemptCauses {
    let losses = Losses::from_attempt(attempt);
    let case = Case::new(attempt, &losses);
    let mut findings = if losses.state == State::Lossy { rules::all(&case) } else { Vec::new() };
    for finding in &mut findings {
        finding.metrics.retain(|metric| losses.lost_of(*metric) > 0.0);
        finding.metrics.sort_unstable();
        finding.metrics.dedup();
    }
    findings.retain(|finding| !finding.metrics.is_empty() || finding.cause.owner() == CauseOwner::Technical);
    findings.sort_by_key(|finding| (finding.cause, finding.call));
    let explains = |loss: &&Loss| findings.iter().any(|finding| finding.metrics.contains(&loss.metric));
    AttemptCauses {
        state: losses.state,
        lost: losses.all.iter().map(|loss| loss.lost).sum(),
        explained: losses.all.iter().filter(explains).map(|loss| loss.lost).sum(),
        losses: losses.all,
        unscored: losses.unscored,
        findings,
    }
}
