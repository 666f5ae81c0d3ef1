//! The failure atlas: rules that say why an attempt lost points, with the place that shows it.
//!
//! Everything here is worked out from what a run and its report hold; nobody is asked. [`sort`]
//! takes one attempt and gives back what it lost ([`Loss`]), the [`Finding`]s of all rules that
//! fired, and which of them comes first. What counts as lost is in [`loss`], the causes and their
//! order are in [`Cause`], the rules are one file a family in `rules`, and the definition in words
//! with the measured precision is in `docs/design/atlas.md`. Which attempts there are is not known
//! here.

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

/// An attempt, sorted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasSorted"))]
pub struct AttemptCauses {
    /// The outcome of it.
    pub state: State,
    /// The metrics that it lost something of, or that could not have been reached; in report order.
    pub losses: Vec<Loss>,
    /// Metrics that have no score, because no judge said anything.
    pub unscored: Vec<koab_core::score::MetricId>,
    /// Why, the first cause first; a cause stands here once for every place that shows it.
    pub findings: Vec<Finding>,
    /// Points lost, summed over the metrics.
    pub lost: f64,
    /// Of them those that a finding explains.
    pub explained: f64,
}

impl AttemptCauses {
    /// The cause that comes first; none when no rule knows why.
    pub fn primary(&self) -> Option<Cause> {
        Some(self.findings.first()?.cause)
    }
}

/// Sorts one attempt.
pub fn sort(attempt: &Attempt<'_>) -> AttemptCauses {
    let losses = Losses::from_attempt(attempt);
    let seen = Case::new(attempt, &losses);
    let mut findings = if losses.state == State::Lossy { rules::all(&seen) } else { Vec::new() };
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
