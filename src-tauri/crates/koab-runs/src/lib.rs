//! Makes runs: prepares them, queues them, fills their cache misses and forks their attempts.
//!
//! [`Runs`] also has the services that tools call, the delivery of spans to a collector, and the
//! part of a run that a worker of a cluster makes.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod fills;
mod forks;
mod otlp;
mod queue;
pub mod runs;
mod services;
#[cfg(test)]
mod tests;

pub use runs::{DryRun, DryRunLevel, RunEnd};
pub use services::OverlayView;

use koab_agents::{AgentCheck, AgentRow};
use koab_core::run_record::{ChangeRecord, RetriedAttempt, RunChange};
use koab_engine::ports::Cancel;
use koab_keys::Keys;
use koab_library::{
    FillEnd, FillPlan, FillRequest, ForkList, ForkOffer, ForkPlan, ForkRequest, ForkStarted, ForkSummary,
    ForkView, Library, RunMerge, RunRequest, RunSnapshot, RunsNow, ServiceState,
};
use koab_models::{LocalTrial, LocalTrialRequest, Models};
use koab_packs::Packs;
use koab_packs::wire::PackRemoval;
use koab_scoring::Scoring;
use koab_store::Deleted;
use koab_workspace::{Workspace, commands};
use std::sync::{Arc, Mutex};

/// Makes runs in a workspace. Clones are cheap and share all state.
#[derive(Clone)]
pub struct Runs {
    /// Reader of the workspace's runs and reports.
    pub library: Library,
    /// Judging and scoring of the runs.
    pub scoring: Scoring,
    /// Models that are called.
    pub models: Models,
    workspace: Workspace,
    keys: Keys,
    packs: Packs,
    inner: Arc<RunsState>,
}

/// State of the runs in one process.
#[derive(Default)]
struct RunsState {
    /// The waiting, current and ended runs.
    queue: Mutex<queue::Queue>,
    /// Tokens that services behind tools returned at a login. They are reused until they expire.
    tokens: koab_providers::services::LoginTokens,
    /// Fills of cache misses.
    fills: Mutex<fills::Fills>,
}

impl Runs {
    /// Creates the service that makes runs in this workspace, from the services that it uses.
    pub fn new(workspace: Workspace, keys: Keys, models: Models, packs: Packs) -> Self {
        let library = Library::new(workspace.clone(), models.clone(), packs.clone());
        let scoring =
            Scoring::new(library.clone(), workspace.clone(), keys.clone(), models.clone(), packs.clone());
        Self { library, scoring, workspace, keys, models, packs, inner: Arc::default() }
    }

    /// Creates the service for a workspace in this folder. Only tests use this function.
    #[cfg(test)]
    fn at(folder: &std::path::Path) -> Self {
        let workspace = Workspace::open(Some(folder.to_owned())).expect("opened");
        let keys = Keys::new(workspace.clone());
        let models = Models::new(workspace.clone(), keys.clone());
        let packs = Packs::new(workspace.clone(), models.clone());
        Self::new(workspace, keys, models, packs)
    }
}

commands! { Runs: runs, sink;
    quick local_trial_start(request: LocalTrialRequest) -> LocalTrial [writes Models] = runs.local_trial_start(request);
    slow agents_list() -> Vec<AgentRow> [reads Agents] =
        koab_agents::list(runs.workspace.home(), runs.workspace.gate()).await;
    slow agent_row(agent: String) -> AgentRow [reads Agents] =
        koab_agents::row(&agent, runs.workspace.home(), runs.workspace.gate()).await;
    slow agent_check(agent: String) -> AgentCheck [writes Agents] = runs.agent_check(&agent, false).await;
    disk pack_removal(name: String) -> PackRemoval [reads Packs, Runs, Snapshots] = runs.pack_removal(&name);
    disk pack_remove(name: String) -> Deleted [writes Packs, Snapshots] = runs.pack_remove(&name);
    stream run_start(request: RunRequest) -> () [writes Runs, Reports] = runs.run_start(request, sink).await;
    stream run_subscribe(run: String) -> RunSnapshot [reads Runs] = runs.run_subscribe(&run, sink);
    quick run_cancel(run: String) -> () [writes Runs] = runs.run_cancel(&run);
    quick run_pause(run: String) -> () [touches nothing] = runs.run_pause(&run);
    quick run_unpause(run: String) -> () [touches nothing] = runs.run_unpause(&run);
    slow run_change(run: String, changes: Vec<RunChange>) -> Vec<ChangeRecord> [writes Runs] =
        runs.run_change(&run, changes).await;
    slow run_retry(run: String, attempts: Vec<RetriedAttempt>) -> Vec<ChangeRecord> [writes Runs] =
        runs.run_retry(&run, attempts).await;
    slow run_services(request: RunRequest) -> Vec<ServiceState> [reads Packs, Keys] = runs.run_services(request).await;
    slow cache_fill_plan(request: FillRequest) -> FillPlan [reads Runs, Packs, Keys] =
        runs.cache_fill_plan(request).await;
    slow cache_fill(request: FillRequest) -> FillEnd [writes Packs] = runs.cache_fill(request, &Cancel::new()).await;
    quick cache_fill_end(run: String) -> Option<FillEnd> [reads Packs] = runs.cache_fill_end(&run);
    disk run_estimate(request: RunRequest) -> DryRun [reads Runs, Packs, Models, Keys] = runs.run_estimate(request);
    disk run_queue(requests: Vec<RunRequest>) -> RunsNow [writes Runs, Reports] = runs.run_queue(requests);
    quick runs_now() -> RunsNow [touches nothing] = runs.runs_now();
    quick run_answer(run: String, answer: Option<String>) -> () [touches nothing] = runs.run_answer(&run, answer);
    quick run_unqueue(run: String) -> RunsNow [touches nothing] = runs.run_unqueue(&run);
    quick run_move(run: String, to: u32) -> RunsNow [touches nothing] = runs.run_move(&run, to);
    quick runs_stop() -> () [writes Runs] = runs.runs_stop();
    disk run_replay(run: String) -> RunSnapshot [reads Runs] = runs.run_replay(&run);
    slow run_merge(run: String) -> RunMerge [writes Runs, Reports] = runs.run_merge(&run).await;
    disk run_trash(run: String) -> Deleted [writes Runs, Reports] = runs.run_trash(&run);
    disk fork_offer(run: String, task: String, repetition: Option<u32>, step: u32) -> ForkOffer [reads Runs] =
        runs.fork_offer(&run, &task, repetition, step);
    disk fork_plan(request: ForkRequest) -> ForkPlan [reads Runs, Packs, Models] = runs.fork_plan(&request);
    slow fork_start(request: ForkRequest) -> ForkStarted [writes Forks] = runs.fork_start(request).await;
    disk forks_list(run: Option<String>, task: Option<String>) -> ForkList [reads Forks, Runs] =
        runs.forks_list(run.as_deref(), task.as_deref());
    disk fork_show(id: String) -> ForkView [reads Forks, Runs] = runs.fork_show(&id);
    disk fork_rename(id: String, name: String) -> ForkSummary [writes Forks] = runs.fork_rename(&id, &name);
    disk fork_trash(id: String) -> Deleted [writes Forks] = runs.fork_trash(&id);
}
