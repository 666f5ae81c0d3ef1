//! How runs and reports can be compared, as it crosses.

use super::{AgentConduct, RunSummary};
use koab_report::comparability::{Comparability, Grade, Judgement};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A run of the workspace with how it can be compared, for scripts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparableRun {
    /// As in the list.
    #[serde(flatten)]
    pub run: RunSummary,
    /// How it can be compared.
    pub comparability: Comparability,
    /// What its agent did beside its steps and calls; left out where this program drove the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conduct: Option<AgentConduct>,
}

/// A file that goes with an exported one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BesideFile {
    /// Name to propose.
    pub name: String,
    /// Media type.
    pub media: String,
    /// Its text.
    pub text: String,
}

/// How one of several reports stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Standing {
    /// Against the published leaderboard.
    pub leaderboard: Grade,
    /// Against the report that all others are compared with; null for that one itself.
    pub with_first: Option<Judgement>,
}
