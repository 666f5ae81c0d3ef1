//! Comparability of runs and reports, as sent to the UI and to scripts.

use super::{AgentConduct, RunSummary};
use koab_report::comparability::{Comparability, Grade, Judgement};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A run of the workspace and its comparability, for scripts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparableRun {
    /// The run, as in the list of runs.
    #[serde(flatten)]
    pub run: RunSummary,
    /// Comparability of the run's numbers with the published leaderboard.
    pub comparability: Comparability,
    /// Conduct of the run's agent apart from its steps and calls. Left out if this program drove
    /// the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conduct: Option<AgentConduct>,
}

/// A companion file of an exported file.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BesideFile {
    /// Suggested file name.
    pub name: String,
    /// Media type.
    pub media: String,
    /// Content of the file.
    pub text: String,
}

/// Comparability of one of several reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Standing {
    /// Grade of the comparison with the published leaderboard.
    pub leaderboard: Grade,
    /// Comparability with the first of the reports, the base report; null for the base report
    /// itself.
    pub with_first: Option<Judgement>,
}
