//! Scenarios started, asked about and stopped.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use koab_engine::ports::Cancel;
use koab_sandbox::layout::TrialId;
use koab_sandbox::run::Event;

use super::live::{LiveScenario, Log, ScenarioLive, ScenarioLogPiece};
use super::request::ScenarioRequest;
use crate::Scenarios;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;

impl Scenarios {
    /// Starts scenarios and gives the run's id at once.
    ///
    /// # Errors
    /// When one is under way: they would take each other's processors. What is wrong with the
    /// request is told by [`Scenarios::live`].
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
            let tell = || {
                let (done, all) = live.far();
                underway.progress(done, all);
            };
            let mut said = |line: &Sentence| {
                live.state().said = Some(line.clone());
                tell();
            };
            let sink = |event: Event| {
                live.hear(event);
                tell();
            };
            let ended = scenarios.run(request, cancel, &mut said, &sink).await;
            // Whoever hears of the job's end then finds how it ended.
            let ended = ended.map(|summary| live.state().summary = Some(summary));
            let _ = underway.finish(ended);
        });
        Ok(id)
    }

    /// The runs of scenarios of this process, the newest first.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn live(&self) -> Result<Vec<ScenarioLive>, WireError> {
        let all = self.live_runs();
        Ok(all.iter().rev().map(|run| run.view()).collect())
    }

    /// What the log of a live run's trial says after a place.
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

    /// Asks a run of scenarios to stop. It does so soon after, and leaves no container.
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
