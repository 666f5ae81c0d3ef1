//! Requests to run scenarios, and the plans and summaries that answer them.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeMap;

use crate::outcome::Cause;
use crate::run::Summary;
use crate::settings::{ModelOffer, RequestedLimits};
use koab_core::run_record::Spending;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Scenarios to run. Options that are left out have the defaults documented for the original tool,
/// or the product's own.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct ScenarioRequest {
    /// A scenario file, a folder of them, or `-` for standard input.
    pub path: String,
    /// Results folder; by default the workspace's.
    pub results: Option<String>,
    /// Folder with `ENV.json` and `OAI_CONFIG_LIST`; by default the working folder.
    pub folder: Option<String>,
    /// Number of trials of each instance.
    pub repetitions: u32,
    /// Number of trials that run at once.
    pub parallel: u32,
    /// Whether trials run on this computer itself, without containers.
    pub native: bool,
    /// Container image; by default the product's own, built when missing.
    pub docker_image: Option<String>,
    /// A file that replaces each trial's `requirements.txt`.
    pub requirements: Option<String>,
    /// Name of the variable or file that contains the model configuration. A YAML file is treated
    /// as `config_file`.
    pub config: Option<String>,
    /// Tag or model that selects entries of the model configuration; the other entries are not
    /// used.
    pub config_tag: Option<String>,
    /// A file that every trial gets as `config.yaml`; by default the file of that name in `folder`.
    pub config_file: Option<String>,
    /// A file of environment variables.
    pub env_file: Option<String>,
    /// Names of keys that every scenario gets.
    pub secrets: Vec<String>,
    /// Further folders that templates may come from.
    pub allow: Vec<String>,
    /// Part of each file's instances to run: a share with a decimal point, or a count.
    pub subsample: Option<String>,
    /// Limits of a trial.
    #[serde(flatten)]
    pub limits: RequestedLimits,
    /// Model that scenarios may call.
    #[serde(flatten)]
    pub offer: ModelOffer,
    /// Whether trials that ended for technical reasons are run again.
    pub rerun_failed: bool,
    /// The command line, for the record; no secret may be in it.
    pub command: Vec<String>,
}

impl Default for ScenarioRequest {
    fn default() -> Self {
        Self {
            path: String::new(),
            results: None,
            folder: None,
            repetitions: 1,
            parallel: 1,
            native: false,
            docker_image: None,
            requirements: None,
            config: None,
            config_tag: None,
            config_file: None,
            env_file: None,
            secrets: Vec::new(),
            allow: Vec::new(),
            subsample: None,
            limits: RequestedLimits::default(),
            offer: ModelOffer::default(),
            rerun_failed: false,
            command: Vec::new(),
        }
    }
}

impl ScenarioRequest {
    /// Checks the fields that need no file, except the limits.
    ///
    /// # Errors
    /// When two fields contradict each other, or a number is out of its range.
    pub(crate) fn check(&self) -> Result<(), Sentence> {
        if self.native && self.docker_image.is_some() {
            return Err(say!("--native runs without an image: leave out --docker-image"));
        }
        if self.native && self.requirements.is_some() {
            return Err(say!(
                "--native installs into an environment of each trial: leave out --requirements, or put the packages into \
                 the template's requirements.txt"
            ));
        }
        if self.repetitions == 0 || self.parallel == 0 {
            return Err(say!("--repeat and --parallel begin at 1"));
        }
        Ok(())
    }
}

/// Plan of a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioPlan {
    /// Path of the results folder.
    pub results: String,
    /// Every trial as `scenario/instance/repetition`, in order, with its step: `run`, `skip`, or
    /// the reason why it runs again.
    pub trials: Vec<(String, Sentence)>,
    /// Number of trials to run.
    pub to_run: u32,
    /// Number of finished trials.
    pub finished: u32,
    /// Probable mistakes in the scenarios.
    pub warnings: Vec<Sentence>,
    /// Names of the environment variables that scenarios get.
    pub variables: Vec<String>,
    /// Source of the model configuration, and its models.
    pub config: Option<String>,
    /// The file that every trial gets as `config.yaml`.
    pub config_file: Option<String>,
}

/// The outcome of a run's trials.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioSummary {
    /// Path of the results folder.
    pub results: String,
    /// Number of all trials.
    pub trials: u32,
    /// Number of trials that were finished before this run.
    pub skipped: u32,
    /// Number of trials that ended in this run, by cause.
    pub ended: BTreeMap<String, u32>,
    /// Number of trials that were not started or not recorded.
    pub not_run: u32,
    /// Whether every trial is finished and ended by itself.
    pub complete: bool,
    /// Whether the user stopped the run.
    pub cancelled: bool,
    /// Reason why a trial could not be recorded; the first one of several.
    pub broken: Option<Sentence>,
    /// Spending on the offered model over all trials; `null` when none was offered.
    pub spent: Option<ScenarioSpending>,
}

/// Spending on calls to the offered model.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioSpending {
    /// Tokens as the server reported them.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Cost in USD; `null` when it is not known.
    pub usd: Option<f64>,
    /// Reason why the cost is unknown or a lower bound.
    pub note: Option<Sentence>,
}

impl From<Spending> for ScenarioSpending {
    fn from(spending: Spending) -> Self {
        Self { tokens: spending.usage.total_tokens, usd: spending.usd, note: spending.note }
    }
}

impl ScenarioSummary {
    pub(crate) fn new(summary: &Summary, results: &std::path::Path, cancelled: bool) -> Self {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            results: results.display().to_string(),
            trials: count(summary.trials),
            skipped: count(summary.skipped),
            ended: summary
                .ended
                .iter()
                .map(|(cause, trials)| (Cause::name(*cause).to_owned(), count(*trials)))
                .collect(),
            not_run: count(summary.not_run),
            complete: summary.is_complete(),
            cancelled,
            broken: summary.broken.clone(),
            spent: None,
        }
    }
}
