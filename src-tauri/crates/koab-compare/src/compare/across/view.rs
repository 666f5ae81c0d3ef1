//! What is asked and answered about models over several packs.

use koab_analysis::across::{Across, AcrossWeights};
use koab_analysis::paired::PairVerdict;
use koab_core::sentence::Sentence;
use koab_report::comparability::{Caveat, Grade};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Reports of several models and packs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossRequest {
    /// Report ids; the model of the first is what the others are compared with.
    pub ids: Vec<String>,
    /// What counts the same in the combined difference.
    pub weights: AcrossWeights,
    /// Where drawn signs begin; null for the usual seed.
    #[ts(type = "number | null")]
    pub seed: Option<u64>,
}

/// A model's report of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossReport {
    /// The pack.
    pub pack: String,
    /// Report id.
    pub id: String,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossModel {
    /// Model id; of a report that names none, the report's id.
    pub model: String,
    /// Its reports.
    pub reports: Vec<AcrossReport>,
}

/// A pack of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossPairPack {
    /// The pack.
    pub pack: String,
    /// How far the two reports can be compared.
    pub grade: Grade,
    /// Why no further.
    pub findings: Vec<Caveat>,
    /// Tasks that both have a score of.
    pub items: u32,
    /// Tasks without a score on both sides.
    pub left_out: u32,
}

/// A pack that a pair is not compared on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossLeftOut {
    /// The pack.
    pub pack: String,
    /// Why.
    pub reason: Sentence,
}

/// The first model against another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossPair {
    /// The first model.
    pub first: String,
    /// The other.
    pub second: String,
    /// Packs that they are compared on.
    pub packs: Vec<AcrossPairPack>,
    /// Packs that they are not compared on.
    pub left_out: Vec<AcrossLeftOut>,
    /// The comparison; null where no pack is left. Its strata are corrected over all pairs.
    pub across: Option<Across>,
    /// p of the combined difference after Holm's correction over all pairs.
    pub holm: Option<f64>,
    /// What that comes to.
    pub verdict: PairVerdict,
}

/// The smallest differences that are found; null where nothing is compared, or where more items
/// would have to differ than the assumption says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossPower {
    /// The share of the items on which two models are taken to differ: an assumption; null for the
    /// mean that was seen over all pairs of these models, pack by pack.
    pub discordance: Option<f64>,
    /// Each item counting the same.
    pub item: Option<f64>,
    /// Each pack counting the same.
    pub benchmark: Option<f64>,
}

/// Models over several packs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AcrossView {
    /// What counts the same in the combined differences.
    pub weights: AcrossWeights,
    /// The models in the order of their first reports.
    pub models: Vec<AcrossModel>,
    /// The packs, likewise.
    pub packs: Vec<String>,
    /// The first model against each other one.
    pub pairs: Vec<AcrossPair>,
    /// The chance with which the smallest differences are found.
    pub power: f64,
    /// At which two-sided level.
    pub alpha: f64,
    /// The smallest difference that these packs can be expected to find, by how much these models
    /// differ.
    pub seen: AcrossPower,
    /// The same for models that differ more or less often.
    pub assumed: Vec<AcrossPower>,
}
