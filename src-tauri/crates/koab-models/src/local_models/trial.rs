//! A model of this disk tried from the window: the doctor's examination in the background, watched,
//! stopped and still there after a reload of the page.
//!
//! One trial goes at a time, and none beside a run: both would be slow, and the speed that is shown
//! is measured.

use super::trials::Trial;
use super::wire::{LocalTrial, LocalTrialRequest};
use crate::Models;
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};

/// Trials that are remembered, one a model.
const KEPT: usize = 20;

impl Models {
    /// Begins to try a model and returns; its job tells how far it is and stops it,
    /// [`Models::local_trial`] tells what came of it.
    ///
    /// # Errors
    /// When another trial is under way. What is wrong with the model is told by the trial.
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
        let over = (trials.len() + 1).saturating_sub(KEPT);
        trials.drain(..over);
        trials.push(Arc::clone(&trial));
        drop(trials);
        let view = trial.view();
        let models = self.clone();
        tokio::spawn(async move {
            let answered = |done: u32, all: u32| underway.progress(done.into(), all.into());
            let LocalTrialRequest { name, settings, parallel } = &trial.request;
            let end = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(WireError::cancelled(say!("stopped before it was done"))),
                found = models.examine_local(name, settings, *parallel, &answered) => found,
            };
            // Whoever hears of the job's end then finds what came of it.
            let end = end.map(|found| trial.found.set(found).is_ok());
            let _ = underway.finish(end);
        });
        Ok(view)
    }

    /// The last trial of a model in this process.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn local_trial(&self, name: &str) -> Result<Option<LocalTrial>, WireError> {
        let trials = self.trials();
        let found = trials.iter().find(|trial| trial.request.name == name);
        Ok(found.map(|trial| trial.view()))
    }

    fn trials(&self) -> MutexGuard<'_, Vec<Arc<Trial>>> {
        self.state.trials.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
