//! The reference set and where a report stands among it.

use super::{Figure, ScoreRange};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Published reports that were taken in to compare others with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceSet {
    /// Its reports, by model.
    pub reports: Vec<ReferenceReport>,
}

/// A report of the set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceReport {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Date of the run.
    pub date: String,
    /// Where it was taken from: below what the user named.
    pub source: String,
}

/// Where a report stands among the reference set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceStanding {
    /// Reports of the set.
    pub references: u32,
    /// A ranking each; none when no other report can stand beside this one.
    pub measures: Vec<StandingMeasure>,
    /// What the reader must know of those that do stand beside it, such as that other judges graded
    /// them.
    pub caveats: Vec<Sentence>,
    /// References that cannot stand beside this report.
    pub left_out: Vec<ReferenceLeftOut>,
}

/// A ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StandingMeasure {
    /// `SR` over all tasks, or the composite's reading that all of them have, such as
    /// `flat_report`.
    pub measure: String,
    /// What that reading counts, one sentence; null for SR.
    pub reading: Option<Sentence>,
    /// Place of the report, 1 for the best; equal values share the better place. Null when it has
    /// no value.
    pub rank: Option<u32>,
    /// Reports with a value, this one included.
    pub of: u32,
    /// Why this report has no value.
    pub reason: Option<Sentence>,
    /// The reports, the best first.
    pub points: Vec<StandingPoint>,
}

/// A report in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StandingPoint {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Whether it is the report itself.
    pub own: bool,
    /// Its value, or why there is none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// Its interval.
    pub range: ScoreRange,
}

/// A reference that is not ranked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceLeftOut {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Why, as the end of a sentence that begins with the model.
    pub reason: Sentence,
}
