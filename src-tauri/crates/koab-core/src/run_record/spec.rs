//! The settings of a run, which are also written into its files.

use super::{AgentSpec, RunSettings, RunTexts};
use crate::pack_identity::PackIdentity;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Sources of the answers to tool calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CacheMode {
    /// Cached responses only. A call without a cached response is an error that the model sees.
    #[default]
    Read,
    /// Cached responses, then saved responses, then the live APIs. Answers of the live APIs are
    /// saved.
    Write,
}

/// All settings of a run except its tasks: `spec` in `run.json` and in each start of the journal.
///
/// Fields that an earlier version did not write have defaults. `other` has the fields that only a
/// later version knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// Run id, chosen by the caller.
    #[serde(default)]
    pub run: String,
    /// `name@version` of the pack.
    pub pack: String,
    /// Model id as given.
    pub model: String,
    /// The settings that the run's results depend on.
    #[serde(flatten)]
    pub settings: RunSettings,
    /// Maximum number of attempts at the same time, chosen by the user or measured; 0 in runs that
    /// did not store it.
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
    /// Mode of the cache. It is written only if calls may be answered by other sources than cached
    /// responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_mode: Option<CacheMode>,
    /// Whether saved responses may answer calls. It is written together with `cache_mode`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<bool>,
    /// Whether a service whose key is missing is simply not called in write mode.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_keys: bool,
    /// The run whose tasks this run repeats, because saved responses now answer its cache misses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completes: Option<String>,
    /// Whether this is an adaptive run. Its tasks were chosen for their information about the
    /// model, so their mean differs from the mean of all tasks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
    /// Facts about a model that runs inside the application, such as its precision and the hash of
    /// its weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local: Option<Value>,
    /// The agent that drove the model; `None` if this program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentSpec>,
    /// Texts for the model that replace the published ones.
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
    /// A run with the published settings, [`RunSettings::published`].
    pub fn published(run: &str, pack: &str, model: &str) -> Self {
        Self {
            run: run.to_owned(),
            pack: pack.to_owned(),
            model: model.to_owned(),
            settings: RunSettings::published(),
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
}
