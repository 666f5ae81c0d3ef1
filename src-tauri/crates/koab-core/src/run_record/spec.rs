//! The settings of a run, which are also written into its files.

use super::{AgentSpec, RunTexts};
use crate::pack_identity::PackIdentity;
use crate::protocol::Protocol;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;

/// Sources of the answers to tool calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CacheMode {
    /// Cached responses only; a call without one is an error that the model sees.
    #[default]
    Read,
    /// Cached responses, then the user's overlay, then the live APIs, whose answers go into the
    /// overlay.
    Write,
}

/// All settings of a run except its tasks: `spec` in `run.json` and in each start of the journal.
///
/// Fields that an earlier version did not write have defaults. Unknown fields of a later version
/// are kept in `other`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Run id, chosen by the caller.
    #[serde(default)]
    pub run: String,
    /// `name@version` of the pack.
    pub pack: String,
    /// Model id as given.
    pub model: String,
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Number of attempts at each task, 1 or more.
    pub repetitions: u32,
    /// Maximum number of model turns of an attempt; the second phase of L5 has the same limit
    /// again.
    pub max_steps: u32,
    /// Time limit of a task in seconds; in conversations, the limit of each turn that the model
    /// takes.
    pub timeout_s: f64,
    /// Whether the model takes every turn of an L6/L7 conversation instead of only the last one,
    /// after a seeded history.
    pub full_rollout: bool,
    /// Sampling temperature.
    pub temperature: f64,
    /// Maximum number of output tokens of a model call; `None` sends no limit.
    pub max_tokens: Option<u32>,
    /// Reasoning effort.
    pub effort: Option<String>,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Maximum number of attempts at the same time, chosen by the user or measured; 0 if it was not
    /// written.
    #[serde(default)]
    pub concurrency: u32,
    /// Address of the model's server as given, without secrets.
    #[serde(default)]
    pub base_url: Option<String>,
    /// Cap on the cost in USD over all starts.
    #[serde(default)]
    pub max_cost: Option<f64>,
    /// Cap on the tokens over all starts.
    #[serde(default)]
    pub max_total_tokens: Option<u64>,
    /// Mode of the cache; only written if other answers than cached responses count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_mode: Option<CacheMode>,
    /// Whether saved responses of the user's overlay count; written together with the mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<bool>,
    /// Whether services with missing keys are left out in write mode.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_keys: bool,
    /// The run whose tasks this run repeats, because its cache misses have saved responses now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completes: Option<String>,
    /// Whether this is an adaptive run. Its tasks were chosen for their information about the
    /// model, so their mean is not that of all tasks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
    /// Facts about a model inside the application, such as its precision and the hash of its
    /// weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local: Option<Value>,
    /// The agent that drove the model; `None` if this program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentSpec>,
    /// Texts that replace the published ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<RunTexts>,
    /// Hashes of the pack's content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<PackIdentity>,
    /// Settings that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl RunSpec {
    /// The published settings: temperature 0.7, 1,024 output tokens, 10 steps, 60 s a task, one
    /// attempt.
    pub fn published(run: &str, pack: &str, model: &str) -> Self {
        Self {
            run: run.to_owned(),
            pack: pack.to_owned(),
            model: model.to_owned(),
            protocol: Protocol::Leaderboard,
            repetitions: 1,
            max_steps: 10,
            timeout_s: 60.0,
            full_rollout: false,
            temperature: 0.7,
            max_tokens: Some(1024),
            effort: None,
            seed: None,
            concurrency: 8,
            base_url: None,
            max_cost: None,
            max_total_tokens: None,
            cache_mode: None,
            overlay: None,
            without_keys: false,
            completes: None,
            adaptive: false,
            local: None,
            agent: None,
            texts: None,
            identity: None,
            other: Map::new(),
        }
    }

    /// [`RunSpec::timeout_s`] as a duration.
    pub fn timeout(&self) -> Duration {
        Duration::try_from_secs_f64(self.timeout_s).unwrap_or(Duration::MAX)
    }
}
