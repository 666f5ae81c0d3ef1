//! What the window sees of runs that wait, go and have ended in this process, and what follows a
//! run.

use super::{RunRequest, WireError};
use koab_core::event::RunOutcome;
use koab_core::sentence::Sentence;
use koab_engine::ports::HandTask;
use koab_models::local_models::LocalSettings;
use koab_otlp::SpanDelivery;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Who judges a run unless somebody says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunJudges {
    /// Judge models `provider/model`; empty when nobody is known.
    pub judges: Vec<String>,
    /// Their base URL, where one was named.
    pub judge_base_url: Option<String>,
    /// How judges inside the application run; null means as usual.
    pub judge_local: Option<LocalSettings>,
    /// Whence they are known.
    pub from: JudgesFrom,
}

/// Whence the judges of a run are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum JudgesFrom {
    /// From when it was asked for or scored last.
    Run,
    /// From its report.
    Report,
    /// They are those of the workspace's settings.
    Settings,
}

/// All runs of this process.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunsNow {
    /// The run under way or being scored.
    pub current: Option<CurrentRun>,
    /// Runs that wait for it, in the order in which they will begin.
    pub queue: Vec<RunRequest>,
    /// Runs that ended, or could not begin, the newest last. A restart of the program forgets them;
    /// what they wrote is in the list of runs.
    pub ended: Vec<EndedRun>,
}

/// The run under way.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CurrentRun {
    /// The id under which it was asked for.
    pub run: String,
    /// Its id in the list of runs; null until its folder is made.
    pub id: Option<String>,
    /// `provider/model`; empty for a run that goes on, until its first event.
    pub model: String,
    /// Whether the user holds it.
    pub paused: bool,
    /// Whether its attempts are over and it is being scored.
    pub scoring: bool,
    /// The collector that gets its spans; null when nobody does, and until it has begun.
    pub spans_to: Option<String>,
    /// What the user is to carry to a program of their own now; null where nothing waits for that.
    pub by_hand: Option<HandTask>,
}

/// A run of this process that is over.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EndedRun {
    /// The id under which it was asked for.
    pub run: String,
    /// Its id in the list of runs; null when it did not begin.
    pub id: Option<String>,
    /// `provider/model`.
    pub model: String,
    /// How it ended; null when it could not begin.
    pub outcome: Option<RunOutcome>,
    /// Why it could not begin, or why it could not be scored.
    pub error: Option<WireError>,
    /// Ids of the reports that were made of it.
    pub reports: Vec<String>,
    /// The outcome of its spans; null when nobody was to get any.
    pub spans: Option<SpanDelivery>,
}

/// How far a run of the workspace has come, as its `run.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunStatus {
    /// How it ended; null while it is made, and for good when its process was killed.
    pub outcome: Option<RunOutcome>,
    /// Why it ended early, in one sentence.
    pub reason: Option<Sentence>,
    /// Attempts planned.
    pub planned: u32,
    /// Attempts that have ended.
    pub done: u32,
    /// Those of them that failed for technical reasons: no answer of the model's, and to be made
    /// again.
    #[serde(default)]
    pub failed: u32,
    /// USD that it may cost.
    pub max_cost: Option<f64>,
    /// Tokens that it may take.
    pub max_total_tokens: Option<u64>,
    /// Whether this process is making it.
    pub here: bool,
    /// Why attempts that workers of a cluster have made may be missing among those that have ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub uncounted: Option<Sentence>,
}
