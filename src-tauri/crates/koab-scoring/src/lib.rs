//! Judges and scores runs.
//!
//! [`Scoring`] asks judges the questions of a run, keeps their verdicts, takes human overrides, and
//! writes reports. The judge lab compares judges, and prepares questions for people. Runs and
//! reports are read through [`Library`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod again;
mod asking;
mod estimate;
mod evaluate;
pub mod holds;
mod judge_answers;
mod judge_choice;
mod judge_context;
mod judge_lab;
mod judge_notes;
mod judges;
mod known_verdicts;
mod overrides;
pub mod parts;
mod recorded;
mod replies;
mod report_writer;
mod run_judges;
#[cfg(test)]
mod tests;
pub mod worker;
pub mod worker_home;
mod workers;

pub use again::{JudgedAnswer, RejudgeResult};
pub use evaluate::ScoringResult;
pub use overrides::judged_metric;
pub use replies::Replies;
pub use worker_home::WorkerHome;

use koab_engine::ports::Cancel;
use koab_keys::Keys;
use koab_library::{
    BlindAnswer, DefaultJudge, EvaluatePlan, EvaluateRequest, LabAskEnd, LabAskPlan, LabAskRequest,
    LabRequest, LabView, Library, OverrideRemoval, OverrideRequest, OverrideRow, QueueAnswered, QueueApplied,
    QueueEstimate, QueueFile, QueueList, QueueRequest, QueueReveal, QueueSummary, QueueView, ReportView,
    RunJudges,
};
use koab_models::Models;
use koab_packs::Packs;
use koab_workspace::{Workspace, commands};
use std::path::PathBuf;

/// Judges and scores the workspace's runs. Clones are cheap and share all state.
#[derive(Clone)]
pub struct Scoring {
    library: Library,
    workspace: Workspace,
    keys: Keys,
    models: Models,
    packs: Packs,
}

impl Scoring {
    /// Creates the service that judges and scores the runs of this library.
    pub fn new(library: Library, workspace: Workspace, keys: Keys, models: Models, packs: Packs) -> Self {
        Self { library, workspace, keys, models, packs }
    }
}

commands! { Scoring: scoring, sink;
    disk run_judges(run: String) -> RunJudges [reads Runs, Reports, Settings] = scoring.run_judges(&run);
    slow run_evaluate(request: EvaluateRequest) -> ReportView [writes Reports, Runs, Judging] =
        scoring.run_evaluate(request).await;
    slow evaluate_estimate(request: EvaluateRequest) -> EvaluatePlan [reads Runs, Judging, Models, Keys] =
        scoring.evaluate_estimate(request).await;
    slow judges_default() -> Vec<DefaultJudge> [reads Keys] = scoring.judges_default().await;
    disk verdict_override(request: OverrideRequest) -> Vec<OverrideRow> [writes Judging] =
        scoring.verdict_override(&request);
    disk verdict_override_remove(removal: OverrideRemoval) -> Vec<OverrideRow> [writes Judging] =
        scoring.verdict_override_remove(&removal);
    disk verdict_overrides(run: Option<String>) -> Vec<OverrideRow> [reads Judging] =
        scoring.verdict_overrides(run.as_deref());
    disk judge_lab(request: LabRequest) -> LabView [reads Reports, Runs, Judging] = scoring.judge_lab(&request);
    disk judge_again_plan(request: LabAskRequest) -> LabAskPlan [reads Reports, Runs, Judging, Models] =
        scoring.judge_again_plan(&request);
    slow judge_again(request: LabAskRequest) -> LabAskEnd [writes Judging] =
        scoring.judge_again(request, &Cancel::new()).await;
    disk queue_make(request: QueueRequest) -> QueueView [writes Judging] = scoring.queue_make(&request);
    disk queues_list() -> QueueList [reads Judging, Runs] = scoring.queues_list();
    disk queue_open(id: String) -> QueueView [reads Judging, Runs] = scoring.queue_open(&id);
    disk queue_answer(id: String, number: u32, answer: Option<BlindAnswer>) -> QueueSummary [writes Judging] =
        scoring.queue_answer(&id, number, answer.as_ref());
    disk queue_reveal(id: String) -> QueueReveal [reads Judging] = scoring.queue_reveal(&id);
    disk queue_estimate(id: String) -> QueueEstimate [reads Judging, Runs] = scoring.queue_estimate(&id);
    disk queue_apply(id: String, by: String) -> QueueApplied [writes Judging] = scoring.queue_apply(&id, &by);
    disk queue_remove(id: String) -> () [writes Judging] = scoring.queue_remove(&id);
    disk queue_export(id: String, format: String) -> QueueFile [reads Judging, Runs] =
        scoring.queue_export(&id, &format);
    disk queue_import(path: PathBuf) -> QueueAnswered [writes Judging] = scoring.queue_import(&path);
}
