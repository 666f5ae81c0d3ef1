//! Scenarios: tasks for agent programs, which run as Python scripts, each in a new folder.
//!
//! This crate takes them from a request to results that this product and the original tool can
//! read. The original tool is AutoGenBench (`autogenbench`, later `agbench`), whose file formats
//! the scenarios have.
//!
//! The executor, from a scenario file to a table:
//!
//! - [`scenario_file`] reads JSONL files, and reports every bad line before anything runs.
//! - [`subsample`] draws a part of a file's instances, the same part every time.
//! - [`layout`] defines the folders: `results/<scenario>/<instance>/<repetition>/`.
//! - [`resume`] decides which trials still have to run.
//! - [`expand`] creates one trial's folder: starter files, template, substitutions, `run.sh`.
//! - [`config_file`] reads the user's `config.yaml`, which is copied into every trial.
//! - [`run_script`] writes the shell script that a trial runs.
//! - [`outcome`] defines `outcome.json`; [`legacy`] infers outcomes of other tools' trials.
//! - [`environment`] collects a scenario's environment variables and their secrets.
//! - [`run`] runs all trials of some files, several at once; [`trial`] runs one of them.
//! - [`docker`] runs a script in a container, [`native`] on this computer; [`process_end`] is
//!   the result of both.
//! - [`model_calls`] is the port for the model that a trial may call without a key; [`relay`]
//!   connects containers without a network to it.
//! - [`console`] writes the log; [`redact`] removes secrets from a scenario's files.
//! - [`tabulate`] computes verdicts and tables, the product's own and the original's.
//! - [`remove_missing`] moves unfinished trials to the trash.
//! - [`manifest`] reads lists of benchmarks and of their files.
//! - [`lint`] finds problems in console logs that verdicts do not show.
//! - [`trial_files`] reads a trial's outcome and files without following links.
//!
//! Only `docker`, `native`, `trial` and `run` start processes; the others read and write files.
//!
//! Modules of the product that use the executor: `request` contains the types that a user interface
//! sends and receives, `prepare` turns a request into a [`run`], `live` keeps the output of running
//! scenarios, and `results` reads finished trials. Scenario code calls the model through
//! `koab-gateway`; `gateway_access` gives each trial a token for it, and `gateway_route` finds a
//! route to it.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod benchmark;
mod clone;
pub mod config_file;
pub mod console;
mod control;
pub mod docker;
pub mod environment;
pub mod error;
pub mod expand;
mod folder_walk;
mod gateway_access;
mod gateway_route;
pub mod layout;
pub mod legacy;
pub mod lint;
mod live;
pub mod manifest;
pub mod markers;
pub mod model_calls;
pub mod native;
mod natural_order;
pub mod outcome;
#[cfg(unix)]
mod ownership;
mod prepare;
pub mod process_end;
mod reclaim;
pub mod redact;
pub mod relay;
mod remote;
pub mod remove_missing;
mod request;
mod results;
pub mod resume;
pub mod run;
pub mod run_script;
pub mod scenario_file;
mod scripts;
mod settings;
pub mod starter;
pub mod subsample;
pub mod substitute;
mod tables;
pub mod tabulate;
pub mod trial;
pub mod trial_files;

pub use clone::{CloneRequest, Cloned};
pub use gateway_route::docker as engine_error;
pub use live::{ScenarioLive, ScenarioLogPiece, ScenarioTrial, TrialState};
pub use remote::{ScenarioCluster, ScenarioPart, ScenarioRemote, ScenarioShard, ScenarioSubmission};
pub use request::{ScenarioPlan, ScenarioRequest, ScenarioSpending, ScenarioSummary};
pub use scripts::ScriptRequest;
pub use settings::{ModelOffer, RequestedLimits};
pub use tables::{LintedLog, TabulatedScenario, UnfinishedTrial};

pub use results::*;

use crate::layout::TrialId;
use crate::tabulate::Scorer;
use koab_core::finding::Problem;
use koab_keys::Keys;
use koab_models::Models;
use koab_workspace::{Workspace, commands};
use live::LiveScenarios;
use std::sync::Arc;

/// Scenarios of a workspace. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Scenarios {
    workspace: Workspace,
    keys: Keys,
    models: Models,
    live: Arc<LiveScenarios>,
}

impl Scenarios {
    /// Scenarios of this workspace, with its keys and models.
    pub fn new(workspace: Workspace, keys: Keys, models: Models) -> Self {
        Self { workspace, keys, models, live: Arc::default() }
    }
}

commands! { Scenarios: scenarios, sink;
    slow scenario_plan(request: ScenarioRequest) -> ScenarioPlan [reads Scenarios] = scenarios.plan(request).await;
    quick scenario_start(request: ScenarioRequest) -> String [writes Scenarios] = scenarios.start(request);
    quick scenario_live() -> Vec<ScenarioLive> [touches nothing] = scenarios.live();
    quick scenario_log(id: String, scenario: String, instance: String, repetition: u32, after: u64) -> ScenarioLogPiece [touches nothing] =
        scenarios.log(&id, &scenario, &instance, repetition, after);
    quick scenario_cancel(id: String) -> () [writes Scenarios] = scenarios.cancel(&id);
    slow scenario_remote(folder: Option<String>) -> Option<ScenarioRemote> [reads Scenarios] =
        scenarios.remote_now(folder.as_deref()).await;
    slow scenario_remote_resume(folder: Option<String>) -> Option<ScenarioRemote> [writes Scenarios] =
        scenarios.remote_resume(folder.as_deref()).await;
    disk scenario_remote_log(folder: Option<String>, shard: u32) -> koab_cluster::ShardLog [reads Scenarios] =
        scenarios.remote_log(folder.as_deref(), shard);
    slow scenario_remote_cancel(folder: Option<String>) -> ScenarioRemote [writes Scenarios] =
        scenarios.remote_cancel(folder.as_deref()).await;
    disk scenario_problems(path: String, allow: Vec<String>) -> Vec<Problem> [touches nothing] =
        scenarios.problems(&path, &allow);
    disk scenario_results(folder: Option<String>) -> ScenarioResults [reads Scenarios] =
        scenarios.results(folder.as_deref());
    disk scenario_table(folder: Option<String>, scenario: String, scorer: Scorer) -> ScenarioTable [reads Scenarios] =
        scenarios.table(folder.as_deref(), &scenario, scorer);
    disk scenario_table_csv(folder: Option<String>, scenario: String, scorer: Scorer) -> String [reads Scenarios] =
        scenarios.table_csv(folder.as_deref(), &scenario, scorer);
    disk scenario_compare(
        folder: Option<String>, scenario: String, other_folder: Option<String>, other: String, scorer: Scorer
    ) -> ScenarioComparison [reads Scenarios] =
        scenarios.compare((folder.as_deref(), &scenario), (other_folder.as_deref(), &other), scorer);
    disk scenario_trial(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, scorer: Scorer
    ) -> ScenarioTrialPage [reads Scenarios] =
        scenarios.trial(folder.as_deref(), &TrialId { scenario, instance, repetition }, scorer);
    disk scenario_trial_log(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, line: u32
    ) -> ScenarioLogPart [reads Scenarios] =
        scenarios.trial_log(folder.as_deref(), &TrialId { scenario, instance, repetition }, line);
    disk scenario_trial_file(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, path: String
    ) -> TrialFileContent [reads Scenarios] =
        scenarios.trial_file(folder.as_deref(), &TrialId { scenario, instance, repetition }, &path);
}
