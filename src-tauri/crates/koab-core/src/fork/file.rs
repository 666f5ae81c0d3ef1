//! Format of the file that stores a fork: its change, its original, and the new attempt.

use super::ForkEditTo;
use super::parts::Speaker;
use crate::level::Level;
use crate::protocol::Protocol;
use crate::run_record::{AttemptRecord, RunManifest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the fork file's format. Readers refuse newer versions.
pub const FORK_FORMAT: u32 = 1;

/// Value of `kind` in the file of a fork.
pub const FORK_KIND: &str = "fork";

/// A fork with its origin, its changes and its outcome. The file contains both branches, so that it
/// can be read after the run was deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForkFile {
    /// Version of the file's format, [`FORK_FORMAT`].
    pub format: u32,
    /// Kind of the file, [`FORK_KIND`].
    pub kind: String,
    /// Id of the fork, which is also the name of its folder.
    pub id: String,
    /// Name that the user gave the fork; may be empty.
    #[serde(default)]
    pub name: String,
    /// Time of creation, milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// Origin of the fork.
    pub of: ForkOf,
    /// Step of the original where the fork begins.
    pub step: u32,
    /// Changes in the conversation.
    pub changes: Vec<ForkChange>,
    /// Settings that differ from the original.
    pub settings: Vec<ForkSetting>,
    /// Number of steps that the fork has in common with the original.
    pub kept_steps: u32,
    /// Whether the original is a published log, which has no times and tokens of single turns.
    pub from_log: bool,
    /// `name@version` of the pack.
    pub pack: String,
    /// Protocol of the fork.
    pub protocol: Protocol,
    /// Model that continues the attempt.
    pub model: String,
    /// Model of the original.
    pub source_model: String,
    /// Record of the original attempt.
    pub source: AttemptRecord,
    /// Manifest that the engine wrote for the continuation; `None` before it starts.
    #[serde(default)]
    pub run: Option<RunManifest>,
    /// Record of the forked attempt, including the steps of the original. `None` while the fork is
    /// running, or if it was interrupted.
    #[serde(default)]
    pub record: Option<AttemptRecord>,
}

/// Origin of a fork.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ForkOf {
    /// The original run, `<model folder>/<date>`, also for a fork of a fork.
    pub run: String,
    /// The fork that was forked; null if the original is an attempt of the run itself.
    pub fork: Option<String>,
    /// Task id.
    pub task: String,
    /// Level of the task.
    pub level: Level,
    /// 1-based number of the repetition.
    pub repetition: u32,
}

/// A changed message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForkChange {
    /// Position of the message in the original; `None` for a system message that the original does
    /// not have.
    pub at: Option<u32>,
    /// Speaker of the message.
    pub role: Speaker,
    /// Step that the message belongs to; `None` for messages that were given to the model.
    pub step: Option<u32>,
    /// Position of the answered call among the attempt's calls, if the message is a tool's answer.
    pub call: Option<u32>,
    /// Tool of that call.
    pub tool: Option<String>,
    /// Content of the message before the change; null if the message is new.
    pub before: Value,
    /// Content of the message after the change.
    pub after: Value,
    /// The change as the user requested it.
    pub to: ForkEditTo,
}

/// A setting whose value in the fork differs from the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ForkSetting {
    /// Name of the setting: `model`, `temperature`, `seed`, `max_tokens` or `base_url`.
    pub setting: String,
    /// Value in the original; null if it was not set or is unknown.
    pub before: Option<String>,
    /// Value in the fork; null if it is not set.
    pub after: Option<String>,
}
