//! Request to make a run. The command line, the server and the window use the same type. The
//! default settings are the published ones.

use super::{Origin, OtlpOptions};
use koab_core::level::Level;
use koab_core::pack::PackKind;
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheMode;
use koab_core::run_record::{RequestedSettings, RunTexts};
use koab_engine::ports::ByHand;
use koab_models::LocalSettings;
use koab_models::SpendingCaps;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Settings for scoring a run as soon as it has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoreAfter {
    /// Scorers, never empty. Each makes its own report.
    pub scorers: Vec<Protocol>,
    /// Judge models `provider/model`. If empty, no judge is called and judge metrics remain
    /// unscored.
    pub judges: Vec<String>,
    /// Base URL of the judges' server; null for judges of a provider.
    pub judge_base_url: Option<String>,
    /// Settings of judges that run inside the application.
    #[serde(default)]
    #[ts(optional)]
    pub judge_local: Option<LocalSettings>,
}

/// Request to make a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunRequest {
    /// Run id. The caller generates the id and subscribes to the run's events before the run
    /// starts.
    pub run: String,
    /// Name of the pack, or path of a folder or archive to import first; `null` means the active
    /// pack.
    pub pack: Option<String>,
    /// Model id, `provider/model`.
    pub model: String,
    /// Name of the agent that drives the model, or path of its definition file. If left out, this
    /// program drives the model.
    #[serde(default)]
    #[ts(optional)]
    pub agent: Option<String>,
    /// Whether to allow an agent that failed `koab agents check`, the test with a scripted model.
    #[serde(skip)]
    pub unchecked: bool,
    /// Whether the agent runs directly on this computer even if a container is possible.
    #[serde(skip)]
    pub native: bool,
    /// Channel to the person who gives prompts to an agent by hand. Only the command line on a
    /// terminal has this channel.
    #[serde(skip)]
    pub by_hand: Option<ByHand>,
    /// Whether the agent calls a model of its own with its own key, without koab's gateway, which
    /// relays and records model calls. `model` is then only a label.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub own_model: bool,
    /// Base URL of the model's server; null for a provider's own server.
    pub base_url: Option<String>,
    /// Levels to run; empty means all levels.
    pub levels: Vec<Level>,
    /// Settings that the run's results depend on.
    #[serde(flatten)]
    pub settings: RequestedSettings,
    /// Maximum number of concurrent attempts; `null` means that the program chooses it.
    pub concurrency: Option<u32>,
    /// Origin of the run: new, or the continuation or completion of another run.
    #[serde(flatten)]
    pub origin: Origin,
    /// Cap on the run's cost in USD. The cost of earlier starts of a resumed run counts.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Cap on the run's tokens. The tokens of earlier starts of a resumed run count.
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
    /// Task ids; empty means all tasks of the selected levels.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub tasks: Vec<String>,
    /// Settings for scoring the run after its end. If left out, the run is not scored.
    #[serde(default)]
    #[ts(optional)]
    pub score: Option<ScoreAfter>,
    /// Settings of a model that runs inside the application.
    #[serde(default)]
    #[ts(as = "Option<LocalSettings>", optional)]
    pub local: LocalSettings,
    /// Name of the snapshot (a stored state of the cached responses) whose responses replace those
    /// of the pack. Allowed only if `cache_mode` is [`CacheMode::Read`].
    #[serde(default)]
    #[ts(optional)]
    pub cache_snapshot: Option<String>,
    /// Source of tool responses. If left out, only cached responses are used (read mode).
    #[serde(default)]
    #[ts(as = "Option<CacheMode>", optional)]
    pub cache_mode: CacheMode,
    /// Whether services whose keys are missing are left out in write mode, where live APIs answer
    /// calls. Otherwise the run does not start.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub without_keys: bool,
    /// Whether the saved responses of earlier live calls also answer calls in read mode. In write
    /// mode they always answer.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub with_overlay: bool,
    /// Whether an adaptive run chose the tasks.
    #[serde(skip)]
    pub adaptive: bool,
    /// Whether the run cannot be changed while it is being made, because it must be like others.
    #[serde(skip)]
    pub fixed: bool,
    /// Texts that replace the published texts of a run.
    #[serde(skip)]
    pub texts: Option<RunTexts>,
    /// Options for sending the run's spans; `None` sends none. In the window, the settings
    /// determine these options.
    #[serde(skip)]
    pub otlp: Option<OtlpOptions>,
    /// Whether the run is written to the disk.
    #[serde(skip, default = "yes")]
    pub save_logs: bool,
}

fn yes() -> bool {
    true
}

impl RunRequest {
    /// Creates a request with the published settings.
    pub fn published(run: &str, model: &str) -> Self {
        Self {
            run: run.to_owned(),
            pack: None,
            model: model.to_owned(),
            agent: None,
            unchecked: false,
            native: false,
            by_hand: None,
            own_model: false,
            base_url: None,
            levels: Vec::new(),
            settings: RequestedSettings::published(),
            concurrency: None,
            origin: Origin::New,
            max_cost: None,
            max_total_tokens: None,
            max_cost_per_day: None,
            max_total_tokens_per_day: None,
            tasks: Vec::new(),
            score: None,
            local: LocalSettings::default(),
            cache_snapshot: None,
            cache_mode: CacheMode::Read,
            without_keys: false,
            with_overlay: false,
            adaptive: false,
            fixed: false,
            texts: None,
            otlp: None,
            save_logs: true,
        }
    }

    /// Returns the temperature of the run, with the default of Ko-AgentBench if the request has
    /// none.
    pub fn agent_temperature(&self) -> f64 {
        self.settings.temperature.unwrap_or(PackKind::Agent.sampling().0)
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
