//! The settings of a run, as it is made by them and as they are written into its files.

use super::{AgentSpec, RunTexts};
use crate::pack_identity::PackIdentity;
use crate::protocol::Protocol;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;

/// Where tool calls are answered from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CacheMode {
    /// Cached responses only; what is not recorded is an error that the model sees.
    #[default]
    Read,
    /// Cached responses, then the user's overlay, then the live APIs, whose answers go into the
    /// overlay.
    Write,
}

/// Everything that decides how a run goes, except its tasks: `spec` of `run.json` and of each start
/// in the journal.
///
/// What an earlier version did not write has a default; what a later one of the same form writes is
/// kept in `other`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Run id, minted by the caller.
    #[serde(default)]
    pub run: String,
    /// `name@version` of the pack.
    pub pack: String,
    /// Model id as given.
    pub model: String,
    /// Protocol.
    pub protocol: Protocol,
    /// Attempts a task, 1 or more.
    pub repetitions: u32,
    /// Model turns an attempt may take; in L5 the second phase has as many again.
    pub max_steps: u32,
    /// Time limit of a task in seconds; in conversations, of each turn that the model plays.
    pub timeout_s: f64,
    /// L6/L7: the model plays every turn instead of only the last, after a seeded history.
    pub full_rollout: bool,
    /// Sampling temperature.
    pub temperature: f64,
    /// Output tokens a model call; `None` sends no limit.
    pub max_tokens: Option<u32>,
    /// Reasoning effort.
    pub effort: Option<String>,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Attempts in flight at most, asked for or found; 0 where it was not written.
    #[serde(default)]
    pub concurrency: u32,
    /// Address of the model's server as given, without secrets.
    #[serde(default)]
    pub base_url: Option<String>,
    /// USD that the run may cost, over all its starts.
    #[serde(default)]
    pub max_cost: Option<f64>,
    /// Tokens that the run may take, over all its starts.
    #[serde(default)]
    pub max_total_tokens: Option<u64>,
    /// Written where more than cached responses counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_mode: Option<CacheMode>,
    /// Whether answers of the user's overlay counted; written with the mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<bool>,
    /// In write mode: services whose keys are missing are left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_keys: bool,
    /// The run whose tasks this one makes again, because calls that it missed are kept now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completes: Option<String>,
    /// Whether its tasks were chosen by how much they tell of the model, so that their mean is not
    /// that of all tasks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
    /// What a model inside the application runs with, such as its precision and the hash of its
    /// weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local: Option<Value>,
    /// The agent that drove the model, where it was not this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentSpec>,
    /// Texts that stand in the place of the published ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<RunTexts>,
    /// What the pack was, in hashes.
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
