//! Trials of local models in the window. A trial makes the measurements of `koab models doctor` in
//! the background. It can be watched and cancelled, and it survives a reload of the page.
//!
//! Only one trial runs at a time, and none during a run: both would be slow, and the trial shows a
//! measured speed.

use super::trials::Trial;
use super::wire::{LocalTrial, LocalTrialRequest};
use crate::Models;
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};

/// Maximum number of trials that are kept, one per model.
const MAX_TRIALS: usize = 20;

impl Models {
    /// Starts the trial of a model and returns. Its job reports the progress and cancels it;
    /// [`Models::local_trial`] returns the result.
    ///
    /// # Errors
    /// When another trial is running. Faults of the model are reported by the trial.
    pub fn trial_start(&self, request: LocalTrialRequest) -> Result<LocalTrial, WireError> {
        let mut trials = self.trials();
        if let Some(going) = trials.iter().find(|trial| !trial.job.is_over()) {
            return Err(WireError::busy(say!(
                "{} is being tried; stop that or wait for it",
                going.request.name
            )));
        }
        let cancel = Cancel::new();
        let about = vec![request.name.clone()];
        let underway = self.workspace.begin_job(JobKind::ModelTrial, about, Some(&cancel));
        let trial = Arc::new(Trial { request, job: underway.state(), found: OnceLock::new() });
        trials.retain(|other| other.request.name != trial.request.name);
        let over = (trials.len() + 1).saturating_sub(MAX_TRIALS);
        trials.drain(..over);
        trials.push(Arc::clone(&trial));
        drop(trials);
        let view = trial.view();
        let models = self.clone();
        tokio::spawn(async move {
            let report = |done: u32, all: u32| underway.progress(done.into(), all.into());
            let LocalTrialRequest { name, settings, parallel } = &trial.request;
            let end = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(WireError::cancelled(say!("stopped before it was done"))),
                examination = models.examine_local(name, settings, *parallel, &report) => examination,
            };
            // The result is stored before the end of the job is reported.
            let end = end.map(|examination| trial.found.set(examination).is_ok());
            let _ = underway.finish(end);
        });
        Ok(view)
    }

    /// The last trial of a model in this process.
    ///
    /// # Errors
    /// This does not fail today. It returns a `Result` because every command of the window does.
    pub fn local_trial(&self, name: &str) -> Result<Option<LocalTrial>, WireError> {
        let trials = self.trials();
        let last = trials.iter().find(|trial| trial.request.name == name);
        Ok(last.map(|trial| trial.view()))
    }

    fn trials(&self) -> MutexGuard<'_, Vec<Arc<Trial>>> {
        self.state.trials.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
