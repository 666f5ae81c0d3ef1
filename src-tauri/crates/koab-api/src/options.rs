//! What the command line can ask for, which is more than the window offers. The window's requests turn into these.

use crate::local_run::LocalSettings;
use crate::otlp::OtlpOptions;
use crate::wire::{EvaluateRequest, RunRequest};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_engine::budget::Spending;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use ts_rs::TS;

/// Where tool calls are answered from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CacheMode {
    /// Recorded responses only; what is not recorded is an error that the model sees.
    #[default]
    Read,
    /// Recorded responses, then the user's overlay, then the real services, whose answers go into the overlay.
    Write,
}

/// A run to make.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Run id, minted by the caller.
    pub run: String,
    /// Pack by name, or a folder or archive to import first; `None` means the active one.
    pub pack: Option<String>,
    /// `provider/model`.
    pub model: String,
    /// Address of the model's server.
    pub base_url: Option<String>,
    /// Levels; empty means all.
    pub levels: Vec<Level>,
    /// Task ids; empty means all of the levels.
    pub tasks: Vec<String>,
    /// Protocol.
    pub protocol: Protocol,
    /// Attempts a task.
    pub repetitions: u32,
    /// Model turns an attempt.
    pub max_steps: u32,
    /// Seconds a task.
    pub timeout_s: f64,
    /// L6/L7: play every turn.
    pub full_rollout: bool,
    /// Sampling temperature.
    pub temperature: f64,
    /// Output tokens a model call.
    pub max_tokens: u32,
    /// Reasoning effort.
    pub effort: Option<String>,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Attempts in flight; `None` means automatic.
    pub concurrency: Option<u32>,
    /// Whether to write logs.
    pub save_logs: bool,
    /// A run to go on with, by id or folder, or `last`; everything but concurrency, model address and caps is then the
    /// run's own.
    pub resume: Option<String>,
    /// USD that the run may cost, over all its starts.
    pub max_cost: Option<f64>,
    /// Tokens that the run may take, over all its starts.
    pub max_total_tokens: Option<u64>,
    /// USD that all runs of the workspace may cost a day.
    pub max_cost_per_day: Option<f64>,
    /// Tokens that all runs of the workspace may take a day.
    pub max_total_tokens_per_day: Option<u64>,
    /// Where the run's spans go; `None` sends nothing.
    pub otlp: Option<OtlpOptions>,
    /// How a model inside the application runs.
    pub local: LocalSettings,
    /// Where tool calls are answered from.
    pub cache_mode: CacheMode,
    /// In write mode: services whose keys are missing are left out, instead of the run.
    pub without_keys: bool,
    /// Snapshot whose responses are read instead of the pack's own, in read mode only.
    pub cache_snapshot: Option<String>,
    /// In read mode: what the user keeps beside the pack answers too. In write mode it always does.
    pub with_overlay: bool,
    /// A run whose tasks are made again as far as calls that they missed are kept now. Its settings are then this one's;
    /// what may differ is what may differ in a run that goes on.
    pub misses_of: Option<String>,
    /// The run that this one completes, by id. Follows from `misses_of`, and of a run that goes on from its own file.
    pub completes: Option<String>,
}

impl RunOptions {
    /// What the run may spend.
    pub fn caps(&self) -> SpendingCaps {
        SpendingCaps {
            max_cost: self.max_cost,
            max_total_tokens: self.max_total_tokens,
            max_cost_per_day: self.max_cost_per_day,
            max_total_tokens_per_day: self.max_total_tokens_per_day,
        }
    }

    /// The published settings for a model.
    pub fn published(run: &str, model: &str) -> Self {
        Self {
            run: run.to_owned(),
            pack: None,
            model: model.to_owned(),
            base_url: None,
            levels: Vec::new(),
            tasks: Vec::new(),
            protocol: Protocol::Leaderboard,
            repetitions: 1,
            max_steps: 10,
            timeout_s: 60.0,
            full_rollout: false,
            temperature: 0.7,
            max_tokens: 1024,
            effort: None,
            seed: None,
            concurrency: None,
            save_logs: true,
            resume: None,
            max_cost: None,
            max_total_tokens: None,
            max_cost_per_day: None,
            max_total_tokens_per_day: None,
            otlp: None,
            local: LocalSettings::default(),
            cache_mode: CacheMode::Read,
            without_keys: false,
            cache_snapshot: None,
            with_overlay: false,
            misses_of: None,
            completes: None,
        }
    }
}

impl From<RunRequest> for RunOptions {
    fn from(request: RunRequest) -> Self {
        let published = Self::published(&request.run, &request.model);
        Self {
            pack: request.pack,
            base_url: request.base_url,
            tasks: request.tasks.unwrap_or_default(),
            max_steps: request.max_steps.unwrap_or(published.max_steps),
            timeout_s: request.timeout_s.unwrap_or(published.timeout_s),
            full_rollout: request.full_rollout.unwrap_or(published.full_rollout),
            temperature: request.temperature.unwrap_or(published.temperature),
            max_tokens: request.max_tokens.unwrap_or(published.max_tokens),
            effort: request.effort,
            seed: request.seed,
            max_cost_per_day: request.max_cost_per_day,
            max_total_tokens_per_day: request.max_total_tokens_per_day,
            levels: request.levels,
            protocol: request.protocol,
            repetitions: request.repetitions,
            concurrency: request.concurrency,
            resume: request.resume,
            max_cost: request.max_cost,
            max_total_tokens: request.max_total_tokens,
            local: request.local.unwrap_or_default(),
            cache_snapshot: request.cache_snapshot,
            cache_mode: request.cache_mode.unwrap_or_default(),
            without_keys: request.without_keys.unwrap_or_default(),
            with_overlay: request.with_overlay.unwrap_or_default(),
            misses_of: request.misses_of,
            ..published
        }
    }
}

/// Which run is scored.
#[derive(Clone, Debug)]
pub enum RunChoice {
    /// By id or folder.
    Run(String),
    /// By the start of its date and its model, as the published tool does.
    Date {
        /// `YYYYMMDD` or more.
        date: String,
        /// Model id in any spelling.
        model: String,
    },
}

/// Who judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeChoice {
    /// Those that the run was last scored by, else the documented panel if all its keys are there, else nobody.
    Default,
    /// Nobody: judge metrics stay unscored.
    Nobody,
    /// These models.
    Models {
        /// `provider/model` each.
        ids: Vec<String>,
        /// Address of their server.
        base_url: Option<String>,
    },
    /// Recorded answers from a file.
    Replay(PathBuf),
}

/// What may be spent at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpendingCaps {
    /// USD.
    pub max_cost: Option<f64>,
    /// Tokens.
    pub max_total_tokens: Option<u64>,
    /// USD that everything in the workspace may cost a day.
    pub max_cost_per_day: Option<f64>,
    /// Tokens that everything in the workspace may take a day.
    pub max_total_tokens_per_day: Option<u64>,
}

impl SpendingCaps {
    /// What a run has left of its caps for its judges. The day's caps count themselves.
    #[must_use]
    pub fn left_after(self, spent: Option<&Spending>) -> Self {
        let Some(spent) = spent else { return self };
        Self {
            // Whole millionths, and never nothing: that would be refused as no amount, and of a millionth no call is paid.
            max_cost: self.max_cost.map(|cap| {
                let left = cap - spent.usd.unwrap_or(0.0);
                (left * 1e6).floor().max(1.0) / 1e6
            }),
            max_total_tokens: self
                .max_total_tokens
                .map(|cap| cap.saturating_sub(spent.usage.total_tokens)),
            ..self
        }
    }
}

/// How several judges' grades become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AggregateChoice {
    /// Arithmetic mean.
    #[default]
    Mean,
    /// Median.
    Median,
}

/// Report files to write.
#[derive(Clone, Copy, Debug)]
pub struct Formats {
    /// `evaluation_report.json`.
    pub json: bool,
    /// `evaluation_summary.csv`.
    pub csv: bool,
    /// `evaluation_report.md`.
    pub markdown: bool,
}

impl Formats {
    /// All three.
    pub const ALL: Self = Self {
        json: true,
        csv: true,
        markdown: true,
    };
}

/// A scoring to make.
#[derive(Clone, Debug)]
pub struct EvaluateOptions {
    /// The run.
    pub run: RunChoice,
    /// Folder with the logs; `None` means the workspace's.
    pub logs: Option<PathBuf>,
    /// Levels; empty means all.
    pub levels: Vec<Level>,
    /// Judges.
    pub judges: JudgeChoice,
    /// How judges inside the application run.
    pub judge_local: LocalSettings,
    /// Votes of the success judge.
    pub votes: u32,
    /// How grades are joined.
    pub aggregate: AggregateChoice,
    /// Scorers, each with a report of its own.
    pub scorers: Vec<Protocol>,
    /// Whether the reports hold `ProvAcc` and `ReuseRate` too.
    pub all_metrics: bool,
    /// First tasks of each level only.
    pub sample: Option<usize>,
    /// Files to write.
    pub formats: Formats,
    /// Folder for the report's folder; `None` means the workspace's reports.
    pub output: Option<PathBuf>,
    /// Evaluation date to print; `None` means now.
    pub evaluation_date: Option<String>,
    /// What all judges of this scoring together may take.
    pub caps: SpendingCaps,
    /// Judges are asked about the first attempt at each task only, however many the run made.
    pub first_repetition: bool,
    /// Whether the judges are asked what they have not answered yet; if not, only what they said earlier counts.
    pub asks: bool,
}

impl EvaluateOptions {
    /// The published settings for a run, without a judge.
    pub fn published(run: RunChoice) -> Self {
        Self {
            run,
            logs: None,
            levels: Vec::new(),
            judges: JudgeChoice::Nobody,
            judge_local: LocalSettings::default(),
            votes: 3,
            aggregate: AggregateChoice::Mean,
            scorers: vec![Protocol::Leaderboard],
            all_metrics: false,
            sample: None,
            formats: Formats::ALL,
            output: None,
            evaluation_date: None,
            caps: SpendingCaps::default(),
            first_repetition: false,
            asks: true,
        }
    }
}

impl From<EvaluateRequest> for EvaluateOptions {
    fn from(request: EvaluateRequest) -> Self {
        let judges = if request.judges.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models {
                ids: request.judges,
                base_url: request.judge_base_url,
            }
        };
        Self {
            judges,
            judge_local: request.judge_local.unwrap_or_default(),
            scorers: vec![request.scorer],
            caps: SpendingCaps {
                max_cost: request.max_cost,
                max_total_tokens: request.max_total_tokens,
                ..SpendingCaps::default()
            },
            ..Self::published(RunChoice::Run(request.run))
        }
    }
}
