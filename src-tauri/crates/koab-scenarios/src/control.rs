//! Commands that start, follow and stop runs of scenarios.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::layout::TrialId;
use crate::run::Event;
use koab_engine::ports::Cancel;

use super::live::{LiveScenario, Log, ScenarioLive, ScenarioLogPiece};
use super::request::ScenarioRequest;
use crate::Scenarios;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;

impl Scenarios {
    /// Starts a run of scenarios and returns its id at once.
    ///
    /// # Errors
    /// When a run is under way: two runs would compete for the processors. Faults of the request
    /// are reported by [`Scenarios::live`].
    pub fn start(&self, request: ScenarioRequest) -> Result<String, WireError> {
        let cancel = Cancel::new();
        let (live, underway) = {
            let mut all = self.live_runs();
            if all.iter().any(|run| !run.job.is_over()) {
                return Err(WireError::busy(say!(
                    "scenarios are running already; stop them or wait for their end"
                )));
            }
            let id = format!("s{}", all.len() + 1);
            let underway = self.workspace.begin_job(JobKind::ScenarioRun, vec![id.clone()], Some(&cancel));
            let live = Arc::new(LiveScenario {
                id,
                request: request.clone(),
                job: underway.state(),
                state: Mutex::default(),
            });
            all.push(Arc::clone(&live));
            (live, underway)
        };
        let id = live.id.clone();
        let scenarios = self.clone();
        tokio::spawn(async move {
            let report = || {
                let (done, all) = live.progress();
                underway.progress(done, all);
            };
            let mut image_progress = |line: &Sentence| {
                live.state().said = Some(line.clone());
                report();
            };
            let sink = |event: Event| {
                live.hear(event);
                report();
            };
            let result = scenarios.run(request, cancel, &mut image_progress, &sink).await;
            // The summary is stored before the job ends, so that listeners of its end find it.
            let result = result.map(|summary| live.state().summary = Some(summary));
            let _ = underway.finish(result);
        });
        Ok(id)
    }

    /// Runs of scenarios that this process started, the newest first.
    ///
    /// # Errors
    /// None today; every command returns this result type.
    pub fn live(&self) -> Result<Vec<ScenarioLive>, WireError> {
        let all = self.live_runs();
        Ok(all.iter().rev().map(|run| run.view()).collect())
    }

    /// Part of a live trial's log after the position `after`, in bytes.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn log(
        &self,
        id: &str,
        scenario: &str,
        instance: &str,
        repetition: u32,
        after: u64,
    ) -> Result<ScenarioLogPiece, WireError> {
        let run = self.live_run(id)?;
        let trial = TrialId { scenario: scenario.to_owned(), instance: instance.to_owned(), repetition };
        let state = run.state();
        Ok(state.logs.get(&trial).map_or_else(|| Log::default().after(0), |log| log.after(after)))
    }

    /// Requests that a run of scenarios stops. The run stops shortly after and leaves no container.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn cancel(&self, id: &str) -> Result<(), WireError> {
        let run = self.live_run(id)?;
        run.job.stop();
        Ok(())
    }

    fn live_run(&self, id: &str) -> Result<Arc<LiveScenario>, WireError> {
        self.live_runs()
            .iter()
            .find(|run| run.id == id)
            .cloned()
            .ok_or_else(|| WireError::not_found(say!("there is no such run of scenarios in this process")))
    }

    fn live_runs(&self) -> MutexGuard<'_, Vec<Arc<LiveScenario>>> {
        self.live.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
