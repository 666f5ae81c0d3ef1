//! Request and result of the comparison of models over several packs.

use koab_analysis::across::{Across, AcrossWeights};
use koab_analysis::paired::PairVerdict;
use koab_core::sentence::Sentence;
use koab_report::comparability::{Caveat, Grade};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Reports of several models and packs to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossRequest {
    /// Report ids. The other models are compared with the model of the first report.
    pub ids: Vec<String>,
    /// Unit that has the same weight everywhere in the combined difference: an item or a pack.
    pub weights: AcrossWeights,
    /// Seed of the random signs of the test; null for the default.
    #[ts(type = "number | null")]
    pub seed: Option<u64>,
}

/// The report of a model on a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossReport {
    /// Label of the pack.
    pub pack: String,
    /// Report id.
    pub id: String,
}

/// A model with its reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossModel {
    /// Model id, or the report's id for a report that names no model.
    pub model: String,
    /// Reports of the model.
    pub reports: Vec<AcrossReport>,
}

/// Comparability of two models on one pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossPairPack {
    /// Label of the pack.
    pub pack: String,
    /// Comparability of the two reports.
    pub grade: Grade,
    /// Findings that limit the comparability.
    pub findings: Vec<Caveat>,
    /// Number of tasks that have a score in both reports.
    pub items: u32,
    /// Number of tasks that have no score in one of the reports.
    pub left_out: u32,
}

/// A pack on which a pair of models is not compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossLeftOut {
    /// Label of the pack.
    pub pack: String,
    /// Reason why the pair is not compared on the pack.
    pub reason: Sentence,
}

/// Comparison of the first model with another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossPair {
    /// The first model.
    pub first: String,
    /// The other model.
    pub second: String,
    /// Packs on which the two models are compared.
    pub packs: Vec<AcrossPairPack>,
    /// Packs on which the two models are not compared.
    pub left_out: Vec<AcrossLeftOut>,
    /// Result of the comparison; null when no pack remains. The p-values of the strata are
    /// corrected over all pairs.
    pub across: Option<Across>,
    /// p-value of the combined difference after Holm's correction over all pairs.
    pub holm: Option<f64>,
    /// Verdict according to `holm`.
    pub verdict: PairVerdict,
}

/// Smallest detectable differences; null when nothing is compared, or when a difference would be
/// larger than the assumed discordance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossPower {
    /// Assumed share of the items on which two models differ; null for the observed mean of each
    /// pack over all pairs of these models.
    pub discordance: Option<f64>,
    /// Smallest detectable difference if each item has the same weight.
    pub item: Option<f64>,
    /// Smallest detectable difference if each pack has the same weight.
    pub benchmark: Option<f64>,
}

/// Comparison of models over several packs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossView {
    /// Unit that has the same weight everywhere in the combined differences: an item or a pack.
    pub weights: AcrossWeights,
    /// The models in the order of their first reports.
    pub models: Vec<AcrossModel>,
    /// Labels of the packs in the order of their first reports.
    pub packs: Vec<String>,
    /// Comparisons of the first model with each of the other models.
    pub pairs: Vec<AcrossPair>,
    /// Power: probability that a difference of the smallest detectable size is significant.
    pub power: f64,
    /// Two-sided significance level.
    pub alpha: f64,
    /// Smallest detectable differences at the observed discordance, the mean square of the
    /// difference of two models on an item.
    pub seen: AcrossPower,
    /// Smallest detectable differences at several assumed discordances.
    pub assumed: Vec<AcrossPower>,
}
