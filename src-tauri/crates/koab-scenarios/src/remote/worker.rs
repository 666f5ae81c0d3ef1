//! Runs one shard of scenarios in a worker, and creates the tables when all workers have ended.

use super::job::Job;
use crate::Scenarios;
use crate::gateway_access::OfferedGateway;
use crate::layout::{Layout, TrialId};
use crate::model_calls::OfferedModel;
use crate::outcome::Cause;
use crate::prepare::claimed;
use crate::request::ScenarioSummary;
use crate::resume::Step;
use crate::run::Event;
use crate::tables::TabulatedScenario;
use crate::tabulate::Scorer;
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::ports::Cancel;
use koab_workspace::WireError;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time within which all processes of a job notice its end.
const CANCEL_NOTICE_DELAY: Duration = Duration::from_millis(500);

/// Result of one shard.
#[derive(Debug)]
pub struct ScenarioPart {
    /// Summary of the shard's trials.
    pub summary: ScenarioSummary,
    /// Whether another start of the same worker delivered a trial of this shard first.
    pub taken_over: bool,
}

impl Scenarios {
    /// Runs the trials of one shard that are not in the results yet.
    ///
    /// # Errors
    /// When the scenarios are invalid on this machine, there is no container engine, or the results
    /// cannot be written.
    pub async fn run_part(
        &self,
        folder: &Path,
        (index, of): (u32, u32),
        cancel: Cancel,
        on_progress: &mut (dyn FnMut(&Sentence) + Send),
        sink: &(dyn Fn(Event) + Send + Sync),
    ) -> Result<ScenarioPart, WireError> {
        let job = Job::read(folder)?;
        let mut request = job.request.clone();
        if let Some(here) = &request.folder {
            std::env::set_current_dir(here).map_err(|error| {
                WireError::not_found(say!(
                    "this machine does not see the folder {here}, from which scenarios were handed over: {error}; it must lie on a disk that every node sees"
                ))
            })?;
        }
        request.offer = request.offer.share(of);
        let prepared = self.prepare_run(&request).await?;
        let shared = prepared.layout.clone();
        let _claim = shared.claim_part().map_err(claimed)?;
        let mut own = job.of_shard(index, of);
        own.retain(|trial| !job.is_finished(&shared, trial));
        let place = self.containers(request.docker_image.as_deref(), &cancel, on_progress).await?;
        let scratch = tempfile::Builder::new().prefix("koab-trials-").tempdir().map_err(|error| {
            WireError::storage(say!("this machine's own disk cannot be written: {error}"))
        })?;
        let local = Layout::new(scratch.path());
        let closed = prepared.has_closed_trials();
        let gateway = OfferedGateway::open(self, &request, &place, closed, local.results(), &cancel).await?;
        let mut run = prepared.run(&request, place);
        run.setup.layout = local.clone();
        run.setup.model = gateway.clone().map(|gateway| gateway as Arc<dyn OfferedModel>);
        let plan = own.into_iter().map(|trial| (trial, Step::Run)).collect();
        let delivery = TrialDelivery {
            local: &local,
            shared: &shared,
            job: &job,
            cancel: cancel.clone(),
            stop: cancel.child_token(),
            state: Mutex::default(),
        };
        let hear = |event: Event| {
            if let Event::Ended(trial, outcome) = &event
                && delivery.is_own_end(outcome.cause)
            {
                delivery.bring(trial);
            }
            sink(event);
        };
        let summary = run.run_of(plan, &delivery.stop, &hear).await;
        let state = delivery.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut report = ScenarioSummary::new(&summary, shared.results(), cancel.is_cancelled());
        report.spent = gateway.map(|gateway| gateway.spent().into());
        report.broken = state.refused.or(report.broken);
        Ok(ScenarioPart { summary: report, taken_over: state.taken_over })
    }

    /// Tables of the results when the workers have ended, and the number of missing trials.
    ///
    /// # Errors
    /// When the results cannot be read.
    pub fn remote_tables(&self, folder: &Path) -> Result<(Vec<TabulatedScenario>, u32), WireError> {
        let job = Job::read(folder)?;
        let results = job.request.results.clone().unwrap_or_default();
        let layout = Layout::new(&results);
        let missing = job.trials.iter().filter(|trial| !job.is_finished(&layout, &trial.id()));
        let missing = missing.count() as u32;
        Ok((self.tables(&results, Scorer::default())?, missing))
    }
}

/// Moves finished trials into the shared results.
struct TrialDelivery<'a> {
    local: &'a Layout,
    shared: &'a Layout,
    job: &'a Job,
    /// Cancelled when the cluster ends the worker.
    cancel: Cancel,
    stop: Cancel,
    state: Mutex<DeliveryState>,
}

#[derive(Default)]
struct DeliveryState {
    taken_over: bool,
    refused: Option<Sentence>,
}

impl TrialDelivery<'_> {
    /// Whether a trial ended by itself. Trials that the cluster interrupted are run again.
    ///
    /// A cluster that ends a job may end its containers or their engine a moment before this
    /// process learns of it.
    fn is_own_end(&self, cause: Cause) -> bool {
        match cause {
            Cause::Completed => true,
            Cause::Cancelled | Cause::Lost => false,
            _ => {
                std::thread::sleep(CANCEL_NOTICE_DELAY);
                !self.cancel.is_cancelled()
            }
        }
    }

    fn bring(&self, trial: &TrialId) {
        let replaces = !self.job.is_finished(self.shared, trial);
        let brought = self.shared.bring(self.local, trial, replaces);
        // The trial is now in the results, or the error below reports its loss; the local copy has
        // no further use.
        let _ = std::fs::remove_dir_all(self.local.trial(trial));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match brought {
            Ok(true) => {}
            Ok(false) => {
                state.taken_over = true;
                self.stop.cancel();
            }
            Err(error) => {
                let why = error.to_sentence();
                state.refused.get_or_insert_with(|| {
                    say!("the trial {trial} cannot be brought into the results: {why}; make room there, and hand the rest over again")
                });
                self.stop.cancel();
            }
        }
    }
}
