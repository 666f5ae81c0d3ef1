//! Scenarios: sets of agent scenarios in containers, from a request to recorded outcomes.
//!
//! `request` contains the types that a user interface sends and receives, `prepare` turns a request
//! into a run of `koab-sandbox`, `live` keeps the output of running scenarios, and `results` reads
//! finished trials. Scenario code calls the model through `koab-gateway`; `gateway_access` gives each
//! trial a token for it, and `gateway_route` finds a route to it. Containers are the concern of
//! `koab-sandbox`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod clone;
mod control;
mod gateway_access;
mod gateway_route;
mod live;
mod prepare;
mod remote;
mod request;
mod results;
mod scripts;
mod tables;

pub use clone::{CloneRequest, Cloned};
pub use gateway_route::docker as engine_error;
pub use live::{ScenarioLive, ScenarioLogPiece, ScenarioTrial, TrialState};
pub use remote::{ScenarioCluster, ScenarioPart, ScenarioRemote, ScenarioShard, ScenarioSubmission};
pub use request::{ScenarioPlan, ScenarioRequest, ScenarioSpending, ScenarioSummary};
pub use scripts::ScriptRequest;
pub use tables::{LintedLog, TabulatedScenario, UnfinishedTrial};

pub use results::*;

use koab_core::finding::Problem;
use koab_keys::Keys;
use koab_models::Models;
use koab_sandbox::layout::TrialId;
use koab_sandbox::tabulate::Scorer;
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
    slow scenario_plan(request: ScenarioRequest) -> ScenarioPlan = scenarios.plan(request).await;
    quick scenario_start(request: ScenarioRequest) -> String = scenarios.start(request);
    quick scenario_live() -> Vec<ScenarioLive> = scenarios.live();
    quick scenario_log(id: String, scenario: String, instance: String, repetition: u32, after: u64) -> ScenarioLogPiece =
        scenarios.log(&id, &scenario, &instance, repetition, after);
    quick scenario_cancel(id: String) -> () = scenarios.cancel(&id);
    slow scenario_remote(folder: Option<String>) -> Option<ScenarioRemote> = scenarios.remote_now(folder.as_deref()).await;
    slow scenario_remote_resume(folder: Option<String>) -> Option<ScenarioRemote> =
        scenarios.remote_resume(folder.as_deref()).await;
    disk scenario_remote_log(folder: Option<String>, shard: u32) -> koab_cluster::ShardLog = scenarios.remote_log(folder.as_deref(), shard);
    slow scenario_remote_cancel(folder: Option<String>) -> ScenarioRemote = scenarios.remote_cancel(folder.as_deref()).await;
    disk scenario_problems(path: String, allow: Vec<String>) -> Vec<Problem> = scenarios.problems(&path, &allow);
    disk scenario_results(folder: Option<String>) -> ScenarioResults = scenarios.results(folder.as_deref());
    disk scenario_table(folder: Option<String>, scenario: String, scorer: Scorer) -> ScenarioTable =
        scenarios.table(folder.as_deref(), &scenario, scorer);
    disk scenario_table_csv(folder: Option<String>, scenario: String, scorer: Scorer) -> String =
        scenarios.table_csv(folder.as_deref(), &scenario, scorer);
    disk scenario_compare(
        folder: Option<String>, scenario: String, other_folder: Option<String>, other: String, scorer: Scorer
    ) -> ScenarioComparison =
        scenarios.compare((folder.as_deref(), &scenario), (other_folder.as_deref(), &other), scorer);
    disk scenario_trial(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, scorer: Scorer
    ) -> ScenarioTrialPage =
        scenarios.trial(folder.as_deref(), &TrialId { scenario, instance, repetition }, scorer);
    disk scenario_trial_log(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, line: u32
    ) -> ScenarioLogPart =
        scenarios.trial_log(folder.as_deref(), &TrialId { scenario, instance, repetition }, line);
    disk scenario_trial_file(
        folder: Option<String>, scenario: String, instance: String, repetition: u32, path: String
    ) -> TrialFileContent =
        scenarios.trial_file(folder.as_deref(), &TrialId { scenario, instance, repetition }, &path);
}
