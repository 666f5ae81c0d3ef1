//! Scenarios started, asked about and stopped.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use koab_engine::ports::Cancel;
use koab_sandbox::layout::TrialId;
use koab_sandbox::run::Event;

use super::live::{LiveScenario, Log, ScenarioLive, ScenarioLogPiece};
use super::request::ScenarioRequest;
use crate::Scenarios;
use koab_workspace::jobs::JobKind;
use koab_workspace::{ErrorCode, WireError};

impl Scenarios {
    /// Starts scenarios and gives the run's id at once.
    ///
    /// # Errors
    /// When one is under way: they would take each other's processors. What is wrong with the request is told by
    /// [`Scenarios::live`].
    pub fn start(&self, request: ScenarioRequest) -> Result<String, WireError> {
        let (live, underway) = {
            let mut all = self.live_runs();
            if all.iter().any(|run| is_underway(run)) {
                return Err(WireError::new(
                    ErrorCode::Busy,
                    say!("scenarios are running already; stop them or wait for their end"),
                ));
            }
            let live = Arc::new(LiveScenario {
                id: format!("s{}", all.len() + 1),
                request: request.clone(),
                cancel: Cancel::new(),
                began: Instant::now(),
                state: Mutex::default(),
            });
            let about = vec![live.id.clone()];
            let underway = self
                .workspace
                .begin_job(JobKind::ScenarioRun, about, Some(&live.cancel));
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
            let ended = scenarios
                .run(request, live.cancel.clone(), &mut said, &sink)
                .await;
            let mut state = live.state();
            state.over = Some(Instant::now());
            let error = ended.as_ref().err().cloned();
            match ended {
                Ok(summary) => state.summary = Some(summary),
                Err(error) => state.error = Some(error),
            }
            drop(state);
            // Last: whoever hears of the job's end then finds how it ended.
            let _ = underway.finish(error.map_or(Ok(()), Err));
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
        let trial = TrialId {
            scenario: scenario.to_owned(),
            instance: instance.to_owned(),
            repetition,
        };
        let state = run.state();
        Ok(state
            .logs
            .get(&trial)
            .map_or_else(|| Log::default().after(0), |log| log.after(after)))
    }

    /// Asks a run of scenarios to stop. It does so soon after, and leaves no container.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn cancel(&self, id: &str) -> Result<(), WireError> {
        let run = self.live_run(id)?;
        self.workspace.cancel_jobs(JobKind::ScenarioRun, &run.id);
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

fn is_underway(run: &LiveScenario) -> bool {
    let state = run.state();
    state.summary.is_none() && state.error.is_none()
}
