//! Arguments of `koab run`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use super::cluster::{ClusterArgs, ENGINES, shard};
use super::heading::{CLUSTER, JUDGES, LIMITS, MODEL, OUTPUT, TOOLS, WHAT};
use super::local_model::{JudgeLocalArgs, LocalArgs};
use super::words::{Word, metric, one_of, points};
use clap::{ArgGroup, Args};
use koab_api::{CacheMode, EngineKind, MetricId, Origin, Protocol, ShardRequest};
use koab_core::run_record::RequestedSettings;

const PROTOCOLS: &[Word<Protocol>] = &[
    ("leaderboard", "As published, its oddities included", Protocol::Leaderboard),
    ("corrected", "As documented, the published faults fixed", Protocol::Corrected),
];

const CACHE_MODES: &[Word<CacheMode>] = &[
    ("read", "Cached responses only; a miss is a tool error that the model sees", CacheMode::Read),
    (
        "write",
        "Cached responses first, then the live APIs (needs their keys); their answers are saved beside the pack",
        CacheMode::Write,
    ),
];

/// Reasoning efforts that a server accepts.
pub(super) const EFFORTS: [&str; 3] = ["low", "medium", "high"];

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("scored").args(["evaluate", "adaptive"]).multiple(true))]
pub(crate) struct RunArgs {
    /// Pack, by name or folder (default: the active one)
    #[arg(help_heading = WHAT, long, value_name = "NAME|DIR")]
    pub(crate) pack: Option<String>,
    /// Levels, such as L1,L2, or groups of another benchmark's pack (default: all)
    #[arg(help_heading = WHAT, long, value_delimiter = ',', value_name = "LEVELS")]
    pub(crate) levels: Vec<String>,
    /// Single tasks by id, such as L1-001,L5-003
    #[arg(help_heading = WHAT, long, value_delimiter = ',', value_name = "IDS")]
    pub(crate) tasks: Vec<String>,
    /// Attempts at each task
    #[arg(help_heading = WHAT, long, default_value_t = 1, alias = "repetition", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) repetitions: u32,
    /// Rules of the run (default: leaderboard; with --agent: corrected)
    #[arg(help_heading = WHAT, long, value_parser = one_of(PROTOCOLS))]
    pub(crate) protocol: Option<Protocol>,
    /// L6/L7: let the model play every turn instead of only the last one; agents: only of kind acp
    /// and a2a
    #[arg(help_heading = WHAT, long)]
    pub(crate) full_rollout: bool,
    /// Resume a run that did not finish: its id or folder, or `last` for the newest of them
    #[arg(help_heading = WHAT, long, value_name = "RUN|last", conflicts_with_all = ["pack", "levels", "tasks", "max_steps", "timeout", "repetitions",
        "protocol", "cache_mode", "cache_snapshot", "with_overlay", "full_rollout", "temperature", "max_tokens", "effort", "seed", "dry_run",
        "use_local", "quantization", "dtype", "context", "tool_form", "constrained", "threads"])]
    pub(crate) resume: Option<String>,
    /// With --resume: make the rest here even if the cluster of the run's workers does not answer;
    /// attempts may be made twice
    #[arg(help_heading = WHAT, long, requires = "resume", conflicts_with_all = ["on", "shard"])]
    pub(crate) without_engine: bool,
    /// With --resume: make one part of the run, such as 0/8, while others make the other parts;
    /// `koab runs merge` joins them
    #[arg(help_heading = WHAT, long, value_name = "I/N", requires = "resume", value_parser = shard, conflicts_with_all = ["evaluate", "no_save_logs"])]
    pub(crate) shard: Option<ShardRequest>,
    /// Make the tasks of a run again whose missed calls have saved responses now (`koab cache
    /// fill`), as a new run with the same settings and --with-overlay
    #[arg(help_heading = WHAT, long, value_name = "RUN", conflicts_with_all = ["pack", "levels", "tasks", "max_steps", "timeout", "repetitions",
        "protocol", "cache_mode", "cache_snapshot", "without_keys", "with_overlay", "full_rollout", "temperature", "max_tokens", "effort", "seed", "use_local",
        "quantization", "dtype", "context", "tool_form", "constrained", "threads", "resume"])]
    pub(crate) misses_of: Option<String>,
    /// Run only the most informative tasks, by the reports of other models, until the result of a
    /// run of all tasks is estimated to within this many points (±3pp); the estimate cannot be
    /// submitted
    #[arg(help_heading = WHAT, long, value_name = "POINTS", value_parser = points, conflicts_with_all = ["levels", "tasks", "repetitions", "resume", "shard",
        "misses_of", "on", "requests", "no_save_logs"])]
    pub(crate) adaptive: Option<f64>,
    /// With --adaptive: metric to estimate (default: SR)
    #[arg(help_heading = WHAT, long, requires = "adaptive", value_parser = metric)]
    pub(crate) metric: Option<MetricId>,
    /// Model as provider/model; see `koab models list`
    #[arg(help_heading = MODEL, long, value_name = "PROVIDER/ID", required_unless_present_any = ["resume", "misses_of", "requests"])]
    pub(crate) model: Option<String>,
    /// Agent that drives the model, by name or definition file; see `koab agents list`
    #[arg(help_heading = MODEL, long, value_name = "NAME|FILE", conflicts_with_all = ["resume", "misses_of"])]
    pub(crate) agent: Option<String>,
    /// With --agent: run one that failed its check (`koab agents check`)
    #[arg(help_heading = MODEL, long, requires = "agent")]
    pub(crate) unchecked: bool,
    /// With --agent: run it on this computer itself, where nothing contains it (default: in
    /// containers, where an engine answers and the agent has an image)
    #[arg(help_heading = MODEL, long, requires = "agent")]
    pub(crate) native: bool,
    /// With --agent: let it call a model of its own with its own key, past koab's gateway; --model
    /// is then only a name. Tokens, times and cost are not known, and the run cannot be compared
    /// with runs through koab's gateway
    #[arg(help_heading = MODEL, long, requires = "agent", conflicts_with_all = ["native", "base_url", "use_local", "max_cost", "max_total_tokens"])]
    pub(crate) own_model: bool,
    /// Address of the model's server, such as http://localhost:8000/v1
    #[arg(help_heading = MODEL, long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Sampling temperature (default: 0.7; for a pack of another benchmark, the benchmark's own)
    #[arg(help_heading = MODEL, long)]
    pub(crate) temperature: Option<f64>,
    /// Output tokens of each model call (default: 1024; for a pack of another benchmark, 4096)
    #[arg(help_heading = MODEL, long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tokens: Option<u32>,
    /// Reasoning effort, for models that take one
    #[arg(help_heading = MODEL, long, value_parser = EFFORTS)]
    pub(crate) effort: Option<String>,
    /// Sampling seed, for servers that take one and for baseline/random
    #[arg(help_heading = MODEL, long)]
    pub(crate) seed: Option<u64>,
    /// Run the model inside this program: --model is a repository, folder or GGUF file of `koab
    /// models list`
    #[arg(help_heading = MODEL, long, conflicts_with = "base_url")]
    pub(crate) use_local: bool,
    #[command(flatten)]
    pub(crate) local: LocalArgs,
    /// Source of the answers to tool calls
    #[arg(help_heading = TOOLS, long, value_parser = one_of(CACHE_MODES), default_value = "read")]
    pub(crate) cache_mode: CacheMode,
    /// With --cache-mode write: leave out services whose keys are missing
    #[arg(help_heading = TOOLS, long)]
    pub(crate) without_keys: bool,
    /// Read a snapshot of the cached responses instead of the pack's own (see `koab cache
    /// snapshot`)
    #[arg(help_heading = TOOLS, long, value_name = "NAME")]
    pub(crate) cache_snapshot: Option<String>,
    /// Use saved responses (`koab cache overlay`) in addition to cached ones; no live calls
    #[arg(help_heading = TOOLS, long, conflicts_with = "cache_mode")]
    pub(crate) with_overlay: bool,
    /// Maximum number of model turns of an attempt
    #[arg(help_heading = LIMITS, long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max_steps: u32,
    /// Time limit of a task in seconds
    #[arg(help_heading = LIMITS, long, default_value_t = 60.0)]
    pub(crate) timeout: f64,
    /// Attempts in flight: a number, or auto
    #[arg(help_heading = LIMITS, long, default_value = "auto", value_parser = concurrency)]
    pub(crate) concurrency: Concurrency,
    /// Stop before the run costs more; a stopped run can be resumed with a higher cap
    #[arg(help_heading = LIMITS, long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Stop before the run takes more tokens
    #[arg(help_heading = LIMITS, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_total_tokens: Option<u64>,
    /// Stop before all runs of the workspace cost more today
    #[arg(help_heading = LIMITS, long, value_name = "USD")]
    pub(crate) max_cost_per_day: Option<f64>,
    /// Stop before all runs of the workspace take more tokens today
    #[arg(help_heading = LIMITS, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_total_tokens_per_day: Option<u64>,
    /// Have workers on a cluster make the run, or with --resume its unfinished part, in shards that
    /// are merged when all are done. `koab runs show` shows the progress
    #[arg(help_heading = CLUSTER, long, value_name = "ENGINE", value_parser = one_of(ENGINES),
        conflicts_with_all = ["shard", "evaluate", "no_save_logs", "use_local", "otlp", "otlp_endpoint", "otlp_content", "misses_of"])]
    pub(crate) on: Option<EngineKind>,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    /// Score the run when it is done, without a judge unless --judge-models names one or the
    /// resumed run had one
    #[arg(help_heading = JUDGES, long)]
    pub(crate) evaluate: bool,
    /// Judge models for --evaluate and --adaptive; their cost and tokens count against the caps of
    /// the run
    #[arg(help_heading = JUDGES, long, alias = "judge", num_args = 1.., value_name = "MODEL", requires = "scored")]
    pub(crate) judge_models: Vec<String>,
    /// Address of the judges' server
    #[arg(help_heading = JUDGES, long, value_name = "URL", requires = "judge_models")]
    pub(crate) judge_base_url: Option<String>,
    #[command(flatten)]
    pub(crate) judge_local: JudgeLocalArgs,
    /// Show the attempts with their estimated calls, tokens, cost and time, and run nothing
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) dry_run: bool,
    /// With --dry-run: print the hash of the request of each item of another benchmark's pack
    #[arg(help_heading = OUTPUT, long, requires_all = ["dry_run", "pack"], conflicts_with_all = ["resume", "misses_of", "on", "shard", "evaluate", "agent"])]
    pub(crate) requests: bool,
    /// Save nothing on disk
    #[arg(help_heading = OUTPUT, long, conflicts_with_all = ["resume", "evaluate"])]
    pub(crate) no_save_logs: bool,
    /// Send the run's spans (OpenTelemetry) to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) otlp: bool,
    /// Send the run's spans to this collector, such as http://localhost:4318; headers come from
    /// OTEL_EXPORTER_OTLP_HEADERS
    #[arg(help_heading = OUTPUT, long, value_name = "URL")]
    pub(crate) otlp_endpoint: Option<String>,
    /// Include prompts, answers, tool arguments and results in the spans
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) otlp_content: bool,
}

impl RunArgs {
    /// Origin of the run. The parser has refused options that contradict each other.
    pub(crate) fn origin(&self) -> Origin {
        match (self.resume.clone(), self.shard, self.misses_of.clone()) {
            (Some(run), Some(shard), _) => Origin::Shard { run, shard },
            (Some(run), None, _) => Origin::Resume { run, without_engine: self.without_engine },
            (None, _, Some(run)) => Origin::Completes { run },
            (None, _, None) => Origin::New,
        }
    }

    /// Settings that the run's results depend on.
    pub(crate) fn settings(&self) -> RequestedSettings {
        RequestedSettings {
            protocol: self.protocol.unwrap_or(match self.agent {
                Some(_) => Protocol::Corrected,
                None => Protocol::Leaderboard,
            }),
            repetitions: self.repetitions,
            max_steps: self.max_steps,
            timeout_s: self.timeout,
            full_rollout: self.full_rollout,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            effort: self.effort.clone(),
            seed: self.seed,
        }
    }
}

/// Number of attempts that run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concurrency {
    Auto,
    Fixed(u32),
}

fn concurrency(text: &str) -> Result<Concurrency, String> {
    match text.parse::<u32>() {
        _ if text == "auto" => Ok(Concurrency::Auto),
        Ok(n @ 1..=256) => Ok(Concurrency::Fixed(n)),
        _ => Err("give a number from 1 to 256, or auto".to_owned()),
    }
}
