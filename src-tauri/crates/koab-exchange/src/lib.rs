//! Import and export of a workspace's files: runs, reports, tables, bundles and submissions.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answers;
mod bundle;
mod import;
mod submission;
mod wire;

pub use answers::{AnswerRow, AnswersRequest, QuestionHash, RequestHash, ScoredAnswers};
pub use bundle::{SubmissionFiles, verify as verify_bundle};
pub use import::{ImportItem, ImportOutcome, ImportResult, ImportScope, ImportedKind};
pub use wire::*;

use koab_engine::ports::Cancel;
use koab_keys::Keys;
use koab_packs::Packs;
use koab_runs::Runs;
use koab_workspace::{Workspace, commands};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Import and export of a workspace's files. A clone is cheap and shares all state.
#[derive(Clone)]
pub struct Exchange {
    workspace: Workspace,
    keys: Keys,
    runs: Runs,
    packs: Packs,
    /// Results of the last imports, for later requests.
    imports: Arc<Mutex<Vec<ImportResult>>>,
}

impl Exchange {
    /// Creates the import and export of a workspace from the services that it uses.
    pub fn new(workspace: Workspace, keys: Keys, runs: Runs, packs: Packs) -> Self {
        Self { workspace, keys, runs, packs, imports: Arc::default() }
    }

    /// Creates the import and export of a workspace in this folder. Only tests use this function.
    #[cfg(test)]
    fn at(folder: &std::path::Path) -> Self {
        let workspace = Workspace::open(Some(folder.to_owned())).expect("opened");
        let keys = Keys::new(workspace.clone());
        let models = koab_models::Models::new(workspace.clone(), keys.clone());
        let packs = koab_packs::Packs::new(workspace.clone(), models.clone());
        let runs = Runs::new(workspace.clone(), keys.clone(), models, packs.clone());
        Self::new(workspace, keys, runs, packs)
    }
}

commands! { Exchange: exchange, sink;
    slow import_files(paths: Vec<String>) -> ImportResult [writes Packs, Runs, Reports, Snapshots] =
        exchange.import_files(paths.into_iter().map(Into::into).collect()).await;
    slow import_references(paths: Vec<String>) -> ImportResult [writes Reports, Runs] =
        exchange.import_references(paths.into_iter().map(Into::into).collect()).await;
    slow bundle_verify(path: PathBuf, key: Option<String>) -> Verification [touches nothing] =
        exchange.bundle_verify(path, key, &Cancel::new()).await;
    quick import_result(id: String) -> Option<ImportResult> [touches nothing] = exchange.import_result(&id);
    disk submission_view(request: SubmissionRequest) -> SubmissionView [reads Reports, Runs, Judging] =
        exchange.submission_view(&request);
    disk submission_save(request: SubmissionRequest, under: PathBuf) -> SubmissionSaved [reads Reports, Runs, Judging] =
        exchange.submission_save_under(&request, &under);
    disk submission_archive(request: SubmissionRequest) -> SubmissionArchive [reads Reports, Runs, Judging] =
        exchange.submission_archive(&request);
    slow submission_bundle(request: SubmissionRequest, sign: bool, under: Option<PathBuf>) -> SubmissionSaved [reads Reports, Runs, Judging] =
        exchange.submission_bundle_under(request, sign, under).await;
    slow submission_validate(place: PathBuf) -> SubmissionCheck [touches nothing] =
        exchange.submission_validate(place, &Cancel::new()).await;
}
