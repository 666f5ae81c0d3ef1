//! Runs of this process for display in the window: waiting runs, the current run and ended runs.
//! Also the judges of a run.

use super::{RunRequest, SpanDelivery};
use koab_core::event::RunOutcome;
use koab_core::sentence::Sentence;
use koab_engine::ports::HandTask;
use koab_models::local_models::LocalSettings;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Default judges of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunJudges {
    /// Judge models `provider/model`; empty when there are no default judges.
    pub judges: Vec<String>,
    /// Base URL of the judges, if the user gave one.
    pub judge_base_url: Option<String>,
    /// Settings of judges that run inside the application; null means the defaults.
    pub judge_local: Option<LocalSettings>,
    /// Source of these default judges.
    pub from: JudgesFrom,
}

/// Source of the default judges of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum JudgesFrom {
    /// The request of the run, or its last scoring.
    Run,
    /// The run's report.
    Report,
    /// The workspace's settings.
    Settings,
}

/// All runs of this process.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunsNow {
    /// The run that is being made or scored; null if there is no such run.
    pub current: Option<CurrentRun>,
    /// Waiting runs, the next run first.
    pub queue: Vec<RunRequest>,
    /// Runs that ended or could not start, the newest last. A restart of the program clears this
    /// list. The list of runs contains their files.
    pub ended: Vec<EndedRun>,
}

/// The run that is being made or scored.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CurrentRun {
    /// Run id in the request.
    pub run: String,
    /// Id in the list of runs; null before the folder of the run exists.
    pub id: Option<String>,
    /// `provider/model`; empty for a resumed run until its first event.
    pub model: String,
    /// Whether the user has paused the run.
    pub paused: bool,
    /// Whether all attempts have ended and the run is being scored.
    pub scoring: bool,
    /// Address of the collector that receives the run's spans; null without a collector, and before
    /// the run has started.
    pub spans_to: Option<String>,
    /// The prompt that the user should now give to an agent by hand; null if no prompt is waiting.
    pub by_hand: Option<HandTask>,
}

/// A run of this process that has ended.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EndedRun {
    /// Run id in the request.
    pub run: String,
    /// Id in the list of runs; null if the run could not start.
    pub id: Option<String>,
    /// Model id, `provider/model`.
    pub model: String,
    /// Outcome of the run; null if the run could not start.
    pub outcome: Option<RunOutcome>,
    /// Reason why the run could not start, or could not be scored.
    pub error: Option<WireError>,
    /// Ids of the reports of the run.
    pub reports: Vec<String>,
    /// Result of the delivery of the run's spans; null without a collector.
    pub spans: Option<SpanDelivery>,
}

/// Progress of a run of the workspace, read from the run's `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunStatus {
    /// Outcome of the run. Null while the run is being made. If its process was killed, the outcome
    /// remains null.
    pub outcome: Option<RunOutcome>,
    /// Reason for an early end, in one sentence.
    pub reason: Option<Sentence>,
    /// Number of planned attempts.
    pub planned: u32,
    /// Number of attempts that have ended.
    pub done: u32,
    /// Number of ended attempts that failed for technical reasons, without an answer of the model.
    /// Resuming the run makes them again.
    #[serde(default)]
    pub failed: u32,
    /// Cap on the run's cost, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the run's tokens.
    pub max_total_tokens: Option<u64>,
    /// Whether this process is making the run.
    pub here: bool,
    /// Reason why `done` may be too low: attempts that workers of a cluster made may be missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uncounted: Option<Sentence>,
}
