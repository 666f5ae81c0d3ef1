//! Checks whether workers of a cluster engine are making a run, before the run is resumed on this
//! computer.

use crate::Runs;
use koab_cluster::{ClusterError, Engine, Submission, WorkerState};
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_store::runs::RunEntry;
use koab_workspace::WireError;
use std::path::Path;

impl Runs {
    /// Refuses to resume a run on this computer if workers of an engine are making the run, or may
    /// be making it.
    ///
    /// # Errors
    /// When workers are making the run. Also when the engine does not answer, attempts are missing,
    /// and the submission was not cancelled. The latter is not an error with `without_engine`: the
    /// user then accepts that attempts may be made twice.
    pub(super) async fn check_no_workers(
        &self,
        entry: &RunEntry,
        manifest: &RunManifest,
        without_engine: bool,
    ) -> Result<(), WireError> {
        let Some(submission) = Submission::read(&entry.run.folder)? else {
            return Ok(());
        };
        let (engine, id) = (submission.engine.title(), &entry.id);
        let is_whole = || {
            self.library
                .progress(entry, manifest, |progress| progress.whole().done == progress.whole().planned)
        };
        match ask(&entry.run.folder, &submission).await {
            Ok((workers, _)) if workers.iter().any(|worker| worker.state.is_at_work()) => {
                Err(WireError::busy(say!(
                    "workers on {engine} are making the run; wait for them (`koab runs show {id}`), or end them with `koab runs cancel {id}`"
                )))
            }
            Ok(_) => Ok(()),
            Err(_) if without_engine || submission.cancelled_ms.is_some() || is_whole()? => Ok(()),
            Err(why) => Err(WireError::busy(say!(
                "workers on {engine} may be making the run, and {engine} does not answer: {why}; try again where it does, or make the rest here with `koab run --resume {id} --without-engine`, which may make attempts twice"
            ))),
        }
    }
}

/// Asks the engine for the states of a submission's workers, and whether it is still merging.
pub async fn ask(folder: &Path, submission: &Submission) -> Result<(Vec<WorkerState>, bool), ClusterError> {
    let engine = Engine::from_submission(submission)?;
    let workers = engine.states(folder, submission).await?;
    let merging = engine.is_merging(submission).await?;
    Ok((workers, merging))
}
