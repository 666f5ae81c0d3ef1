//! A workspace with runs of the starter pack by baselines, which ask nobody.

use crate::Runs;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_engine::ports::Cancel;
use koab_library::RunRequest;
use koab_library::options::{EvaluateOptions, JudgeChoice, RunChoice};
pub(crate) use koab_stand_ins::refused;
use koab_workspace::commands::Nobody;
use std::sync::Arc;
use tempfile::TempDir;

/// A workspace with everything that runs.
pub(crate) struct Desk {
    pub(crate) runs: Runs,
    pub(crate) folder: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runs = Runs::at(folder.path());
        Self { runs, folder }
    }

    /// Makes a run and gives its id.
    pub(crate) async fn run(&self, request: RunRequest) -> String {
        let end = self.runs.run(request, Arc::new(Nobody), Cancel::new()).await.unwrap();
        self.runs.library.run_show(&end.folder.unwrap()).unwrap().id
    }

    /// A run of this baseline on L1.
    pub(crate) async fn made(&self, model: &str) -> String {
        self.run(on_l1(model)).await
    }

    /// Scores a run by these rules without a judge and gives the id of its report.
    pub(crate) async fn scored(&self, run: &str, scorer: Protocol) -> String {
        let options = EvaluateOptions {
            scorers: vec![scorer],
            judges: JudgeChoice::Nobody,
            ..EvaluateOptions::published(RunChoice::Run(run.to_owned()))
        };
        let scored = self.runs.scoring.evaluate(options, &|_, _| {}, &Cancel::new()).await;
        scored.unwrap().reports.remove(0).id
    }
}

/// A request for a run on L1.
pub(crate) fn on_l1(model: &str) -> RunRequest {
    RunRequest { levels: vec![Level::L1], ..RunRequest::published(&model.replace('/', "-"), model) }
}
