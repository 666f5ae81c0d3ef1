//! Runs and their reports: makes runs, judges and scores them, and reads transcripts and reports.
//!
//! [`Library`] reads the runs and reports of a workspace. [`Scoring`] judges and scores runs,
//! [`Runs`] makes them, and [`Remote`] submits the making and the judging of runs to cluster
//! engines. Their functions use the types of [`wire`] and [`options`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod comparability;
mod conduct;
mod fills;
mod forkable;
mod forks;
mod judge_lab;
mod kept_run;
mod misses;
mod names;
pub mod options;
mod queue;
pub mod references;
mod remote;
pub mod reports;
mod run_lookup;
mod runs;
pub mod scoring;
mod services;
pub mod table_text;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod wire;

pub use remote::Remote;
pub use reports::{Combined, OtherInstructions, TaskOfLevel};
pub use runs::{DryRun, DryRunLevel, RunEnd, WorkerHome};
pub use scoring::ScoringResult;
pub use scoring::again::{JudgedAnswer, RejudgeResult};
pub use scoring::replies::Replies;
pub use services::OverlayView;
pub use wire::*;

use koab_agents::{AgentCheck, AgentRow};
use koab_engine::ports::Cancel;
use koab_keys::Keys;
use koab_models::{LocalTrial, LocalTrialRequest, Models};
use koab_packs::Packs;
use koab_report::comparability::Comparability;
use koab_report::{CombinedNames, CombinedOrder};
use koab_workspace::{Workspace, commands};
use runs::live::LiveRun;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Reads the workspace's runs and reports: finds them by name, and returns logs, transcripts and
/// comparability. Clones are cheap and share all state.
#[derive(Clone)]
pub struct Library {
    workspace: Workspace,
    models: Models,
    packs: Packs,
    inner: Arc<LibraryState>,
}

/// State of the library in one process.
struct LibraryState {
    /// Runs of this process, the newest last.
    live: Mutex<Vec<Arc<LiveRun>>>,
    /// Recently read logs and reports.
    kept: transcript::cache::Cache,
    /// Recently opened reports.
    opened_reports: koab_workspace::Recent<reports::detail::Open>,
    /// Rows of the library from its last listing.
    listed_reports: koab_store::report_index::Listed<wire::ReportRow>,
    /// Progress of runs on clusters.
    remote: runs::shard_progress::Progress,
}

/// Judges and scores the workspace's runs. Clones are cheap and share all state.
#[derive(Clone)]
pub struct Scoring {
    library: Library,
    workspace: Workspace,
    keys: Keys,
    models: Models,
    packs: Packs,
}

/// Makes runs in a workspace. Clones are cheap and share all state.
#[derive(Clone)]
pub struct Runs {
    /// Reader of the workspace's runs and reports.
    pub library: Library,
    /// Judging and scoring of the runs.
    pub scoring: Scoring,
    workspace: Workspace,
    keys: Keys,
    models: Models,
    packs: Packs,
    inner: Arc<RunsState>,
}

/// State of the runs in one process.
#[derive(Default)]
struct RunsState {
    /// The waiting, current and ended runs.
    queue: Mutex<queue::Queue>,
    /// Login tokens for the services behind tools.
    tokens: koab_providers::services::LoginTokens,
    /// Fills of cache misses.
    fills: Mutex<fills::Fills>,
}

impl Runs {
    /// Creates the service that makes runs in this workspace, from the services that it uses.
    pub fn new(workspace: Workspace, keys: Keys, models: Models, packs: Packs) -> Self {
        let library = Library {
            workspace: workspace.clone(),
            models: models.clone(),
            packs: packs.clone(),
            inner: Arc::new(LibraryState {
                live: Mutex::default(),
                kept: transcript::cache::Cache::new(workspace.home().indexes()),
                opened_reports: koab_workspace::Recent::new(reports::detail::OPENED),
                listed_reports: koab_store::report_index::Listed::default(),
                remote: runs::shard_progress::Progress::default(),
            }),
        };
        let scoring = Scoring {
            library: library.clone(),
            workspace: workspace.clone(),
            keys: keys.clone(),
            models: models.clone(),
            packs: packs.clone(),
        };
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
    quick local_trial_start(request: LocalTrialRequest) -> LocalTrial = runs.local_trial_start(request);
    slow agents_list() -> Vec<AgentRow> = koab_agents::list(runs.workspace.home()).await;
    slow agent_row(agent: String) -> AgentRow = koab_agents::row(&agent, runs.workspace.home()).await;
    slow agent_check(agent: String) -> AgentCheck = runs.agent_check(&agent, false).await;
    disk pack_removal(name: String) -> PackRemoval = runs.pack_removal(&name);
    disk pack_remove(name: String) -> () = runs.pack_remove(&name);
    disk drift(run: String, against: String, task: Option<String>) -> RunDrift = runs.library.drift(&run, &against, task.as_deref());
    stream run_start(request: RunRequest) -> () = runs.run_start(request, sink).await;
    stream run_subscribe(run: String) -> RunSnapshot = runs.run_subscribe(&run, sink);
    quick run_cancel(run: String) -> () = runs.run_cancel(&run);
    quick run_pause(run: String) -> () = runs.run_pause(&run);
    quick run_unpause(run: String) -> () = runs.run_unpause(&run);
    slow run_services(request: RunRequest) -> Vec<ServiceState> = runs.run_services(request).await;
    disk cache_misses(run: String) -> RunMisses = runs.library.cache_misses(&run);
    slow cache_fill_plan(request: FillRequest) -> FillPlan = runs.cache_fill_plan(request).await;
    slow cache_fill(request: FillRequest) -> FillEnd = runs.cache_fill(request, &Cancel::new()).await;
    quick cache_fill_end(run: String) -> Option<FillEnd> = runs.cache_fill_end(&run);
    disk run_estimate(request: RunRequest) -> DryRun = runs.run_estimate(request);
    disk run_queue(requests: Vec<RunRequest>) -> RunsNow = runs.run_queue(requests);
    quick runs_now() -> RunsNow = runs.runs_now();
    quick run_answer(run: String, answer: Option<String>) -> () = runs.run_answer(&run, answer);
    quick run_unqueue(run: String) -> RunsNow = runs.run_unqueue(&run);
    quick run_move(run: String, to: u32) -> RunsNow = runs.run_move(&run, to);
    quick runs_stop() -> () = runs.runs_stop();
    disk run_replay(run: String) -> RunSnapshot = runs.run_replay(&run);
    slow run_merge(run: String) -> RunMerge = runs.run_merge(&run).await;
    disk run_trash(run: String) -> () = runs.run_trash(&run);
    disk run_restore(run: String) -> () = runs.run_restore(&run);
    disk run_remark(run: String, tags: Vec<String>, note: String) -> RunSummary = runs.run_remark(&run, tags, note);
    disk runs_list() -> Vec<RunSummary> = runs.runs_list();
    disk run_judges(run: String) -> RunJudges = runs.scoring.run_judges(&run);
    slow run_evaluate(request: EvaluateRequest) -> ReportView = runs.scoring.run_evaluate(request).await;
    disk reports_list() -> Vec<ReportView> = runs.library.reports_list();
    disk references() -> ReferenceSet = runs.library.references();
    disk references_remove() -> Vec<String> = runs.library.references_remove();
    disk report_standing(id: String) -> ReferenceStanding = runs.library.report_standing(&id);
    disk report_repetitions(id: String) -> RepetitionsView = runs.library.report_repetitions(&id);
    slow evaluate_estimate(request: EvaluateRequest) -> EvaluatePlan = runs.scoring.evaluate_estimate(request).await;
    slow judges_default() -> Vec<DefaultJudge> = runs.scoring.judges_default().await;
    disk verdicts_of_task(run: String, task: String) -> TaskVerdicts = runs.library.verdicts_of_task(&run, &task);
    disk verdict_override(request: OverrideRequest) -> Vec<OverrideRow> = runs.scoring.verdict_override(&request);
    disk verdict_override_remove(removal: OverrideRemoval) -> Vec<OverrideRow> = runs.scoring.verdict_override_remove(&removal);
    disk verdict_overrides(run: Option<String>) -> Vec<OverrideRow> = runs.scoring.verdict_overrides(run.as_deref());
    disk judge_lab(request: LabRequest) -> LabView = runs.scoring.judge_lab(&request);
    disk judge_again_plan(request: LabAskRequest) -> LabAskPlan = runs.scoring.judge_again_plan(&request);
    slow judge_again(request: LabAskRequest) -> LabAskEnd = runs.scoring.judge_again(request, &Cancel::new()).await;
    disk queue_make(request: QueueRequest) -> QueueView = runs.scoring.queue_make(&request);
    disk queues_list() -> QueueList = runs.scoring.queues_list();
    disk queue_open(id: String) -> QueueView = runs.scoring.queue_open(&id);
    disk queue_answer(id: String, number: u32, answer: Option<BlindAnswer>) -> QueueSummary =
        runs.scoring.queue_answer(&id, number, answer.as_ref());
    disk queue_reveal(id: String) -> QueueReveal = runs.scoring.queue_reveal(&id);
    disk queue_estimate(id: String) -> QueueEstimate = runs.scoring.queue_estimate(&id);
    disk queue_apply(id: String, by: String) -> QueueApplied = runs.scoring.queue_apply(&id, &by);
    disk queue_remove(id: String) -> () = runs.scoring.queue_remove(&id);
    disk queue_export(id: String, format: String) -> QueueFile = runs.scoring.queue_export(&id, &format);
    disk queue_import(path: PathBuf) -> QueueAnswered = runs.scoring.queue_import(&path);
    disk fork_offer(run: String, task: String, repetition: Option<u32>, step: u32) -> ForkOffer =
        runs.fork_offer(&run, &task, repetition, step);
    disk fork_plan(request: ForkRequest) -> ForkPlan = runs.fork_plan(&request);
    slow fork_start(request: ForkRequest) -> ForkStarted = runs.fork_start(request).await;
    disk forks_list(run: Option<String>, task: Option<String>) -> ForkList =
        runs.forks_list(run.as_deref(), task.as_deref());
    disk fork_show(id: String) -> ForkView = runs.fork_show(&id);
    disk fork_rename(id: String, name: String) -> ForkSummary = runs.fork_rename(&id, &name);
    disk fork_trash(id: String) -> () = runs.fork_trash(&id);
    disk fork_restore(id: String) -> () = runs.fork_restore(&id);
    disk run_tasks(run: String) -> Vec<RunTask> = runs.library.run_tasks(&run);
    disk run_conduct(run: String) -> Option<AgentConduct> = runs.library.run_conduct(&run);
    disk transcript(run: String, task: String, report: Option<String>, repetition: Option<u32>) -> Transcript =
        runs.library.transcript(&run, &task, report.as_deref(), repetition);
    disk transcript_raw(run: String, task: String, repetition: Option<u32>) -> RawTranscript =
        runs.library.transcript_raw(&run, &task, repetition);
    disk report_show(run: String) -> Option<ReportView> = runs.library.report_show(&run);
    slow model_check(model: String, base_url: Option<String>) -> () = runs.scoring.check_model(&model, base_url.as_deref()).await;
    disk reports_library() -> Vec<ReportRow> = runs.library.reports_library();
    disk report_detail(id: String) -> ReportDetail = runs.library.report_detail(&id);
    disk report_comparability(id: String) -> Comparability = runs.library.report_comparability(&id);
    disk run_comparability(run: String) -> Comparability = runs.library.run_comparability(&run);
    disk report_facts(id: String) -> ReportFacts = runs.library.report_facts(&id);
    disk imported_reports() -> Vec<RunReport> = runs.library.imported_reports();
    disk other_instructions(ids: Vec<String>) -> Vec<OtherInstructions> = runs.library.other_instructions(&ids);
    disk report_remark(id: String, tags: Vec<String>, note: String) -> ReportRow = runs.library.report_remark(&id, tags, note);
    disk report_delete(id: String) -> String = runs.library.report_delete(&id);
    disk report_restore(deleted: String) -> String = runs.library.report_restore(&deleted);
    disk reports_combined(ids: Vec<String>, names: CombinedNames, order: CombinedOrder) -> ReportFile =
        runs.library.reports_combined(&ids, names, order);
    disk report_export(id: String, format: ReportFormat, language: String) -> ReportFile =
        runs.library.report_export(&id, format, &language);
}

commands! { Remote: remote, sink;
    slow run_remote(run: String, work: Option<RemoteWork>) -> RemoteRun = remote.run_remote(&run, work).await;
    slow remote_plan(request: RunRequest, how: RemoteRequest) -> RemotePlan = remote.remote_plan(request, how).await;
    slow remote_submit(request: RunRequest, how: RemoteRequest) -> RemoteRun = remote.remote_submit(request, how).await;
    slow judging_resume(run: String, how: RemoteRequest) -> RemoteRun = remote.judging_resume(&run, &how).await;
    slow remote_cancel(run: String, work: Option<RemoteWork>) -> RemoteRun = remote.remote_cancel(&run, work).await;
    disk remote_log(run: String, work: Option<RemoteWork>, shard: u32) -> ShardLog = remote.remote_log(&run, work, shard);
}
