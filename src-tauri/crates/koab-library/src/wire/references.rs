//! The reference set, and the ranks of a report among its reports.

use koab_core::measured::{Figure, ScoreRange};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Published reports that were imported for comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceSet {
    /// The reports of the set, sorted by model.
    pub reports: Vec<ReferenceReport>,
}

/// A report of the reference set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceReport {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Date of the run.
    pub date: String,
    /// Path of the imported file, relative to the folder or archive that the user chose.
    pub source: String,
}

/// Ranks of a report among the reports of the reference set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReferenceStanding {
    /// Number of reports in the set.
    pub references: u32,
    /// Rankings by different measures; empty if no reference can be compared with the report.
    pub measures: Vec<StandingMeasure>,
    /// Caveats about the ranked references, for example that other judges graded them.
    pub caveats: Vec<Sentence>,
    /// References that cannot be compared with this report.
    pub left_out: Vec<ReferenceLeftOut>,
}

/// A ranking of a report and the references by one measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StandingMeasure {
    /// `SR` over all tasks, or a reading of the composite that all ranked reports have, such as
    /// `flat_report`.
    pub measure: String,
    /// Sentence that names the parts of the composite's reading; null for SR.
    pub reading: Option<Sentence>,
    /// Rank of the report, 1 for the best. Reports with equal values share the better rank. Null if
    /// the report has no value.
    pub rank: Option<u32>,
    /// Number of reports with a value, including the ranked report.
    pub of: u32,
    /// Reason why the report has no value.
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
    /// Whether this is the ranked report and not a reference.
    pub own: bool,
    /// Value of the report, or the reason why the value is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// Interval of the value.
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
    /// Reason why the reference is not ranked. It is the end of a sentence that begins with the
    /// model.
    pub reason: Sentence,
}
