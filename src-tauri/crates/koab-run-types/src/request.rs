//! Request of a run, shared by the command line, the server and the window. Defaults are the
//! published settings.

use koab_core::level::Level;
use koab_core::pack::PackKind;
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheMode;
use koab_core::run_record::{RunSpec, RunTexts};
use koab_engine::ports::ByHand;
use koab_models::LocalSettings;
use koab_models::SpendingCaps;
use koab_otlp::OtlpOptions;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Settings for scoring a run as soon as it has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoreAfter {
    /// Scorers, each with its own report; not empty.
    pub scorers: Vec<Protocol>,
    /// Judge models `provider/model`. Empty means no judge: judge metrics stay unscored.
    pub judges: Vec<String>,
    /// Base URL for judges behind a server.
    pub judge_base_url: Option<String>,
    /// Settings of judges that run inside the application.
    #[serde(default)]
    #[ts(optional)]
    pub judge_local: Option<LocalSettings>,
}

/// A shard of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShardRequest {
    /// 0-based shard number.
    pub index: u32,
    /// Number of shards.
    pub of: u32,
}

/// Request to make a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunRequest {
    /// Run id. The caller generates it and subscribes to the run's events before the start.
    pub run: String,
    /// Pack by name, or a folder or archive to import first; `null` means the active one.
    pub pack: Option<String>,
    /// Model id, `provider/model`.
    pub model: String,
    /// Name of the agent that drives the model, or path of its definition file; left out, this
    /// program drives the model.
    #[serde(default)]
    #[ts(optional)]
    pub agent: Option<String>,
    /// Whether an agent that failed its check may run.
    #[serde(skip)]
    pub unchecked: bool,
    /// Whether the agent runs directly on this computer even where a container is possible.
    #[serde(skip)]
    pub native: bool,
    /// Channel to the person who carries prompts to an agent by hand; only a terminal has one.
    #[serde(skip)]
    pub by_hand: Option<ByHand>,
    /// Whether the agent uses a model and key of its own, bypassing the gateway. `model` is then
    /// only a label.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub own_model: bool,
    /// Base URL of the model's server, for models behind one.
    pub base_url: Option<String>,
    /// Levels to run; empty means all.
    pub levels: Vec<Level>,
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Attempts per task, 1 or more.
    pub repetitions: u32,
    /// Concurrent attempts; `null` means automatic.
    pub concurrency: Option<u32>,
    /// Run to resume, by id or folder, or `last`. The run's own settings then apply, except
    /// concurrency, address and caps; `model` may be empty.
    #[serde(default)]
    #[ts(optional)]
    pub resume: Option<String>,
    /// Shard to make here, of a run that several workers make together.
    #[serde(default)]
    #[ts(optional)]
    pub shard: Option<ShardRequest>,
    /// Whether to resume the run here even where a cluster engine does not report whether its
    /// workers are making it.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub without_engine: bool,
    /// Cap on the run's cost in USD, including earlier sessions.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Cap on the run's tokens, including earlier sessions.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens: Option<u64>,
    /// Cap on the daily cost of all runs of the workspace, in USD.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost_per_day: Option<f64>,
    /// Cap on the daily tokens of all runs of the workspace.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens_per_day: Option<u64>,
    /// Task ids; empty means all tasks of the levels.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub tasks: Vec<String>,
    /// Maximum number of model turns per attempt.
    #[serde(default = "max_steps")]
    #[ts(as = "Option<u32>", optional)]
    pub max_steps: u32,
    /// Time limit of an attempt, in seconds.
    #[serde(default = "timeout_s")]
    #[ts(as = "Option<f64>", optional)]
    pub timeout_s: f64,
    /// Whether the model plays every turn in L6 and L7 instead of only the last.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub full_rollout: bool,
    /// Sampling temperature; left out, the default of the pack's benchmark applies.
    #[serde(default)]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// Maximum output tokens per model call; left out, the default of the pack's benchmark applies.
    #[serde(default)]
    #[ts(optional)]
    pub max_tokens: Option<u32>,
    /// Reasoning effort: `low`, `medium` or `high`.
    #[serde(default)]
    #[ts(optional)]
    pub effort: Option<String>,
    /// Sampling seed.
    #[serde(default)]
    #[ts(optional)]
    pub seed: Option<u64>,
    /// Scoring after the run's end; left out, the run is not scored.
    #[serde(default)]
    #[ts(optional)]
    pub score: Option<ScoreAfter>,
    /// Settings of a model that runs inside the application.
    #[serde(default)]
    #[ts(as = "Option<LocalSettings>", optional)]
    pub local: LocalSettings,
    /// Snapshot whose responses replace the pack's own, in read mode only.
    #[serde(default)]
    #[ts(optional)]
    pub cache_snapshot: Option<String>,
    /// Source of tool responses; left out, cached responses only.
    #[serde(default)]
    #[ts(as = "Option<CacheMode>", optional)]
    pub cache_mode: CacheMode,
    /// Whether, in write mode, a service without its keys is left out; else the run does not start.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub without_keys: bool,
    /// Whether saved responses answer too in read mode. In write mode they always do.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub with_overlay: bool,
    /// Run whose tasks are made again where filled misses allow it, by id. That run's settings then
    /// apply, except those that `resume` leaves open; `model` may be empty.
    #[serde(default)]
    #[ts(optional)]
    pub misses_of: Option<String>,
    /// Id of the run that this one completes. Follows from `misses_of`, and for a resumed run from
    /// its own file.
    #[serde(skip)]
    pub completes: Option<String>,
    /// Whether an adaptive run chose the tasks.
    #[serde(skip)]
    pub adaptive: bool,
    /// Texts that replace the published ones.
    #[serde(skip)]
    pub texts: Option<RunTexts>,
    /// Options for sending the run's spans; `None` sends none. In the window, the settings contain
    /// them.
    #[serde(skip)]
    pub otlp: Option<OtlpOptions>,
    /// Whether the run is saved to the disk.
    #[serde(skip, default = "yes")]
    pub save_logs: bool,
}

fn max_steps() -> u32 {
    RunRequest::published("", "").max_steps
}

fn timeout_s() -> f64 {
    RunRequest::published("", "").timeout_s
}

fn yes() -> bool {
    true
}

impl RunRequest {
    /// Creates a request with the published settings.
    pub fn published(run: &str, model: &str) -> Self {
        let spec = RunSpec::published(run, "", model);
        Self {
            run: spec.run,
            pack: None,
            model: spec.model,
            agent: None,
            unchecked: false,
            native: false,
            by_hand: None,
            own_model: false,
            base_url: None,
            levels: Vec::new(),
            protocol: spec.protocol,
            repetitions: spec.repetitions,
            concurrency: None,
            resume: None,
            shard: None,
            without_engine: false,
            max_cost: None,
            max_total_tokens: None,
            max_cost_per_day: None,
            max_total_tokens_per_day: None,
            tasks: Vec::new(),
            max_steps: spec.max_steps,
            timeout_s: spec.timeout_s,
            full_rollout: spec.full_rollout,
            temperature: None,
            max_tokens: None,
            effort: None,
            seed: None,
            score: None,
            local: LocalSettings::default(),
            cache_snapshot: None,
            cache_mode: CacheMode::Read,
            without_keys: false,
            with_overlay: false,
            misses_of: None,
            completes: None,
            adaptive: false,
            texts: None,
            otlp: None,
            save_logs: true,
        }
    }

    /// Returns the temperature of a run of Ko-AgentBench.
    pub fn agent_temperature(&self) -> f64 {
        self.temperature.unwrap_or(PackKind::Agent.sampling().0)
    }

    /// Returns the run's spending caps.
    pub fn caps(&self) -> SpendingCaps {
        SpendingCaps {
            max_cost: self.max_cost,
            max_total_tokens: self.max_total_tokens,
            max_cost_per_day: self.max_cost_per_day,
            max_total_tokens_per_day: self.max_total_tokens_per_day,
        }
    }
}
