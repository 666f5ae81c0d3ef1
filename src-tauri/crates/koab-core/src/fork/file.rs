//! What a fork leaves on the disk, in one file.

use super::ForkEditTo;
use super::parts::Speaker;
use crate::level::Level;
use crate::protocol::Protocol;
use crate::run_record::{AttemptRecord, RunManifest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the file's form. Readers refuse newer ones.
pub const FORK_FORMAT: u32 = 1;

/// The word that says of the file what it is.
pub const FORK_KIND: &str = "fork";

/// A fork: where it comes from, what was changed, the outcome of it. It holds both branches, so
/// that it can be read when the run is gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForkFile {
    /// [`FORK_FORMAT`].
    pub format: u32,
    /// [`FORK_KIND`].
    pub kind: String,
    /// Name of its folder.
    pub id: String,
    /// What the user calls it; empty when nobody named it.
    #[serde(default)]
    pub name: String,
    /// When it was made, milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// What it is a fork of.
    pub of: ForkOf,
    /// The step at which it was forked.
    pub step: u32,
    /// What was changed in the conversation.
    pub changes: Vec<ForkChange>,
    /// What is set otherwise.
    pub settings: Vec<ForkSetting>,
    /// Steps of the original that it keeps.
    pub kept_steps: u32,
    /// Whether the original is a published log, which has no times and tokens of single turns.
    pub from_log: bool,
    /// `name@version` of the pack.
    pub pack: String,
    /// Protocol.
    pub protocol: Protocol,
    /// Model that goes on.
    pub model: String,
    /// Model of the original.
    pub source_model: String,
    /// The original's attempt.
    pub source: AttemptRecord,
    /// What the engine wrote of its going on; `None` before it does.
    #[serde(default)]
    pub run: Option<RunManifest>,
    /// The forked attempt, kept beginning included; `None` while it goes on, or when it broke off.
    #[serde(default)]
    pub record: Option<AttemptRecord>,
}

/// What a fork is a fork of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ForkOf {
    /// The run, `<model folder>/<date>`, also of a fork of a fork.
    pub run: String,
    /// The fork that it is a fork of; null when it is one of the run itself.
    pub fork: Option<String>,
    /// Task id.
    pub task: String,
    /// Its level.
    pub level: Level,
    /// 1-based repetition.
    pub repetition: u32,
}

/// A changed message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForkChange {
    /// Place among the original's messages; `None` for a system message that the original does not
    /// have.
    pub at: Option<u32>,
    /// Whose message it is.
    pub role: Speaker,
    /// Step that it belongs to; `None` for what the model was given.
    pub step: Option<u32>,
    /// The call that a tool's answer belongs to, by its place among the attempt's calls.
    pub call: Option<u32>,
    /// Tool of that call.
    pub tool: Option<String>,
    /// What stood there; null when nothing did.
    pub before: Value,
    /// What stands there now.
    pub after: Value,
    /// The change as it was asked for.
    pub to: ForkEditTo,
}

/// A setting that is another one in the fork.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ForkSetting {
    /// Which: `model`, `temperature`, `seed`, `max_tokens`, `base_url`.
    pub setting: String,
    /// As it was; null when it was not set or is not known.
    pub before: Option<String>,
    /// As it is; null when it is not set.
    pub after: Option<String>,
}
