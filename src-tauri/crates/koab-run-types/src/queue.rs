//! Runs of this process for the window: waiting, current and ended ones, and the judges of a run.

use super::{RunRequest, WireError};
use koab_core::event::RunOutcome;
use koab_core::sentence::Sentence;
use koab_engine::ports::HandTask;
use koab_models::local_models::LocalSettings;
use koab_otlp::SpanDelivery;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Default judges of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunJudges {
    /// Judge models `provider/model`; empty when there are no default judges.
    pub judges: Vec<String>,
    /// Base URL of the judges, where one was given.
    pub judge_base_url: Option<String>,
    /// Settings of judges that run inside the application; null means the defaults.
    pub judge_local: Option<LocalSettings>,
    /// Source of these defaults.
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
    /// The run that is being made or scored.
    pub current: Option<CurrentRun>,
    /// Waiting runs, the next one first.
    pub queue: Vec<RunRequest>,
    /// Runs that ended or could not start, the newest last. A restart of the program clears this
    /// list; their files are in the list of runs.
    pub ended: Vec<EndedRun>,
}

/// The run that is being made or scored.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CurrentRun {
    /// Run id of the request.
    pub run: String,
    /// Id in the list of runs; null until the run's folder exists.
    pub id: Option<String>,
    /// `provider/model`; empty for a resumed run until its first event.
    pub model: String,
    /// Whether the user has paused the run.
    pub paused: bool,
    /// Whether all attempts have ended and the run is being scored.
    pub scoring: bool,
    /// Address of the collector that receives the run's spans; null without one, and before the
    /// start.
    pub spans_to: Option<String>,
    /// The prompt that the user is to carry to an agent by hand now; null while none is waiting.
    pub by_hand: Option<HandTask>,
}

/// A run of this process that has ended.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EndedRun {
    /// Run id of the request.
    pub run: String,
    /// Id in the list of runs; null when the run could not start.
    pub id: Option<String>,
    /// Model id, `provider/model`.
    pub model: String,
    /// Outcome of the run; null when it could not start.
    pub outcome: Option<RunOutcome>,
    /// Reason why the run could not start, or could not be scored.
    pub error: Option<WireError>,
    /// Ids of the reports of the run.
    pub reports: Vec<String>,
    /// Result of the delivery of the run's spans; null without a collector.
    pub spans: Option<SpanDelivery>,
}

/// Progress of a run of the workspace, from its `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunStatus {
    /// Outcome of the run; null while it is being made, and permanently when its process was
    /// killed.
    pub outcome: Option<RunOutcome>,
    /// Reason for an early end, in one sentence.
    pub reason: Option<Sentence>,
    /// Planned attempts.
    pub planned: u32,
    /// Attempts that have ended.
    pub done: u32,
    /// Ended attempts that failed for technical reasons, without an answer of the model. Resuming
    /// makes them again.
    #[serde(default)]
    pub failed: u32,
    /// Cap on the run's cost, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the run's tokens.
    pub max_total_tokens: Option<u64>,
    /// Whether this process is making it.
    pub here: bool,
    /// Reason why `done` may lack attempts that workers of a cluster have made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uncounted: Option<Sentence>,
}
