//! A run that is asked for, on every face alike. What is left out is as published.

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

/// How a run is scored as soon as it has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoreAfter {
    /// Scorers, each with a report of its own; not empty.
    pub scorers: Vec<Protocol>,
    /// Judge models `provider/model`; empty means no judge, and judge metrics stay unscored.
    pub judges: Vec<String>,
    /// Base URL for judges behind a server.
    pub judge_base_url: Option<String>,
    /// How judges inside the application run.
    #[serde(default)]
    #[ts(optional)]
    pub judge_local: Option<LocalSettings>,
}

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShardRequest {
    /// 0-based.
    pub index: u32,
    /// Parts in all.
    pub of: u32,
}

/// What to run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunRequest {
    /// The run's id, minted by the caller, which subscribes before it starts.
    pub run: String,
    /// Pack by name, or a folder or archive to import first; `null` means the active one.
    pub pack: Option<String>,
    /// `provider/model`.
    pub model: String,
    /// The agent that drives the model: by its name, or the file of its definition; this program
    /// when left out.
    #[serde(default)]
    #[ts(optional)]
    pub agent: Option<String>,
    /// Whether an agent is run that failed its check.
    #[serde(skip)]
    pub unchecked: bool,
    /// Whether an agent runs on this computer itself even where it could be contained.
    #[serde(skip)]
    pub native: bool,
    /// Whoever carries prompts to an agent that is used by hand; there is somebody at a terminal
    /// only.
    #[serde(skip)]
    pub by_hand: Option<ByHand>,
    /// Whether the agent asks a model and key of its own, past the gateway; `model` is then only
    /// its name.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub own_model: bool,
    /// Base URL of the server, for models behind one.
    pub base_url: Option<String>,
    /// Levels to run; none means all.
    pub levels: Vec<Level>,
    /// Protocol.
    pub protocol: Protocol,
    /// Attempts a task, 1 or more.
    pub repetitions: u32,
    /// Attempts in flight; `null` means automatic.
    pub concurrency: Option<u32>,
    /// A run to go on with, by id or folder, or `last`; its own settings then count but for
    /// concurrency, address and caps, and `model` may be empty.
    #[serde(default)]
    #[ts(optional)]
    pub resume: Option<String>,
    /// The part of the run that is made here, of a run that several workers go on with at once.
    #[serde(default)]
    #[ts(optional)]
    pub shard: Option<ShardRequest>,
    /// Whether a run goes on here even where an engine of a cluster does not say whether its
    /// workers are making it.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub without_engine: bool,
    /// USD that the run may cost, over all its starts.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Tokens that the run may take, over all its starts.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens: Option<u64>,
    /// USD that all runs of the workspace may cost a day.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost_per_day: Option<f64>,
    /// Tokens that all runs of the workspace may take a day.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens_per_day: Option<u64>,
    /// Task ids; none means all of the levels.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub tasks: Vec<String>,
    /// Model turns an attempt.
    #[serde(default = "max_steps")]
    #[ts(as = "Option<u32>", optional)]
    pub max_steps: u32,
    /// Seconds a task.
    #[serde(default = "timeout_s")]
    #[ts(as = "Option<f64>", optional)]
    pub timeout_s: f64,
    /// L6/L7: the model plays every turn instead of only the last.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub full_rollout: bool,
    /// Sampling temperature; that of the pack's benchmark when left out.
    #[serde(default)]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// Output tokens a model call; as the pack's benchmark takes when left out.
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
    /// How it is scored once it has ended; nothing when left out.
    #[serde(default)]
    #[ts(optional)]
    pub score: Option<ScoreAfter>,
    /// How a model inside the application runs.
    #[serde(default)]
    #[ts(as = "Option<LocalSettings>", optional)]
    pub local: LocalSettings,
    /// Snapshot whose responses are read instead of the pack's own, in read mode only; none when
    /// left out.
    #[serde(default)]
    #[ts(optional)]
    pub cache_snapshot: Option<String>,
    /// Where tool calls are answered from; cached responses only when left out.
    #[serde(default)]
    #[ts(as = "Option<CacheMode>", optional)]
    pub cache_mode: CacheMode,
    /// In write mode: services whose keys are missing are left out, instead of the run.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub without_keys: bool,
    /// In read mode: what the user keeps beside the pack answers too. In write mode it always does.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub with_overlay: bool,
    /// A run, by id, whose tasks are made again as far as calls that they missed are kept now; its
    /// own settings then count (but for those that `resume` leaves open), and `model` may be empty.
    #[serde(default)]
    #[ts(optional)]
    pub misses_of: Option<String>,
    /// The run that this one completes, by id. Follows from `misses_of`, and of a run that goes on
    /// from its own file.
    #[serde(skip)]
    pub completes: Option<String>,
    /// Whether its tasks were chosen by how much they tell of the model.
    #[serde(skip)]
    pub adaptive: bool,
    /// Texts that stand in the place of the published ones.
    #[serde(skip)]
    pub texts: Option<RunTexts>,
    /// Where the run's spans go; `None` sends nothing. The page has it in the settings.
    #[serde(skip)]
    pub otlp: Option<OtlpOptions>,
    /// Whether to write logs.
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
    /// The published settings for a model.
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

    /// The temperature of a run of Ko-AgentBench.
    pub fn agent_temperature(&self) -> f64 {
        self.temperature.unwrap_or(PackKind::Agent.sampling().0)
    }

    /// What the run may spend.
    pub fn caps(&self) -> SpendingCaps {
        SpendingCaps {
            max_cost: self.max_cost,
            max_total_tokens: self.max_total_tokens,
            max_cost_per_day: self.max_cost_per_day,
            max_total_tokens_per_day: self.max_total_tokens_per_day,
        }
    }
}
