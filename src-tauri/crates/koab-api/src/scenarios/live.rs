//! What running scenarios have said so far, for a face that asks again and again.
//!
//! A face holds nothing of its own: it asks with the place up to which it has read the log of the trial it shows, and
//! gets the rest, so a reload shows the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use koab_engine::ports::Cancel;
use koab_sandbox::layout::TrialId;
use koab_sandbox::outcome::Cause;
use koab_sandbox::resume::Step;
use koab_sandbox::run::Event;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::request::{ScenarioRequest, ScenarioSummary};
use crate::Api;
use crate::wire::{ErrorCode, WireError};

/// Text of a trial's log that is kept here; the whole is in its file.
const TAIL: usize = 256 * 1024;

/// A run of scenarios, under way or over since a while.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioLive {
    /// Its id.
    pub id: String,
    /// What was asked for.
    pub request: ScenarioRequest,
    /// Its trials in order, as soon as they are known.
    pub trials: Vec<ScenarioTrial>,
    /// What the making of the image said last.
    pub said: Option<String>,
    /// How it ended.
    pub summary: Option<ScenarioSummary>,
    /// Why it did not begin or could not end.
    pub error: Option<WireError>,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// Seconds since it was asked for, up to its end.
    pub elapsed_s: f64,
}

/// One trial of a live run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioTrial {
    /// The scenario file's name.
    pub scenario: String,
    /// The instance.
    pub instance: String,
    /// The repetition, from 0.
    pub repetition: u32,
    /// What it does.
    pub state: TrialState,
    /// Why it ended, once it has: a cause as in `outcome.json`.
    pub cause: Option<String>,
    /// How long it took, seconds.
    pub seconds: Option<f64>,
}

/// What a trial does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TrialState {
    /// It waits for its turn.
    Waiting,
    /// It runs.
    Running,
    /// It has ended in this run.
    Ended,
    /// It was finished before.
    Skipped,
}

/// A piece of a trial's log.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioLogPiece {
    /// The text after the place that was asked for.
    pub text: String,
    /// The place after it, in bytes from the log's beginning.
    #[ts(type = "number")]
    pub next: u64,
    /// Whether text before it is not kept here any more.
    pub cut: bool,
}

/// The runs of scenarios of this process.
#[derive(Default)]
pub(crate) struct LiveScenarios {
    all: Mutex<Vec<Arc<LiveScenario>>>,
}

struct LiveScenario {
    id: String,
    request: ScenarioRequest,
    cancel: Cancel,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    order: Vec<TrialId>,
    trials: BTreeMap<TrialId, (TrialState, Option<String>, Option<f64>)>,
    logs: BTreeMap<TrialId, Log>,
    said: Option<String>,
    summary: Option<ScenarioSummary>,
    error: Option<WireError>,
    over: Option<Instant>,
}

#[derive(Default)]
struct Log {
    /// Bytes that were dropped before the text.
    dropped: u64,
    text: String,
}

impl LiveScenario {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, event: Event) {
        let mut state = self.state();
        match event {
            Event::Planned(plan) => {
                for (trial, step) in plan {
                    let now = match step {
                        Step::Skip(outcome) => (
                            TrialState::Skipped,
                            Some(outcome.cause.name().to_owned()),
                            outcome.seconds,
                        ),
                        Step::Run | Step::Again { .. } => (TrialState::Waiting, None, None),
                    };
                    state.order.push(trial.clone());
                    state.trials.insert(trial, now);
                }
            }
            Event::Started(trial) => {
                state.trials.insert(trial, (TrialState::Running, None, None));
            }
            Event::Output(trial, text) => state.logs.entry(trial).or_default().push(&text),
            Event::Ended(trial, outcome) => {
                let now = (
                    TrialState::Ended,
                    Some(outcome.cause.name().to_owned()),
                    outcome.seconds,
                );
                state.trials.insert(trial, now);
            }
            // Why is in the summary; the others go on.
            Event::Broken(trial, _) => {
                let now = (TrialState::Ended, Some(Cause::Lost.name().to_owned()), None);
                state.trials.insert(trial, now);
            }
        }
    }

    fn told(&self) -> ScenarioLive {
        let state = self.state();
        ScenarioLive {
            id: self.id.clone(),
            request: self.request.clone(),
            trials: state
                .order
                .iter()
                .filter_map(|trial| {
                    let (now, cause, seconds) = state.trials.get(trial)?.clone();
                    Some(ScenarioTrial {
                        scenario: trial.scenario.clone(),
                        instance: trial.instance.clone(),
                        repetition: trial.repetition,
                        state: now,
                        cause,
                        seconds,
                    })
                })
                .collect(),
            said: state.said.clone(),
            summary: state.summary.clone(),
            error: state.error.clone(),
            cancelling: self.cancel.is_cancelled() && state.summary.is_none() && state.error.is_none(),
            elapsed_s: state
                .over
                .unwrap_or_else(Instant::now)
                .duration_since(self.began)
                .as_secs_f64(),
        }
    }
}

impl Log {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() > 2 * TAIL {
            let cut = self.text.floor_char_boundary(self.text.len() - TAIL);
            self.text.drain(..cut);
            self.dropped += cut as u64;
        }
    }

    fn after(&self, place: u64) -> ScenarioLogPiece {
        let end = self.dropped + self.text.len() as u64;
        let from = usize::try_from(place.saturating_sub(self.dropped)).unwrap_or(usize::MAX);
        let from = self.text.ceil_char_boundary(from.min(self.text.len()));
        ScenarioLogPiece {
            text: self.text[from..].to_owned(),
            next: end,
            cut: place < self.dropped,
        }
    }
}

impl Api {
    /// Starts scenarios and gives the run's id at once.
    ///
    /// # Errors
    /// When one is under way: they would take each other's processors. What is wrong with the request is told by
    /// [`Api::scenario_live`].
    pub fn scenario_start(&self, request: ScenarioRequest) -> Result<String, WireError> {
        let live = {
            let mut all = self.live_scenarios();
            if all.iter().any(|run| is_underway(run)) {
                return Err(WireError::new(
                    ErrorCode::Busy,
                    "scenarios are running already; stop them or wait for their end",
                ));
            }
            let live = Arc::new(LiveScenario {
                id: format!("s{}", all.len() + 1),
                request: request.clone(),
                cancel: Cancel::new(),
                began: Instant::now(),
                state: Mutex::default(),
            });
            all.push(Arc::clone(&live));
            live
        };
        let id = live.id.clone();
        let api = self.clone();
        tokio::spawn(async move {
            let mut said = |line: &str| live.state().said = Some(line.to_owned());
            let sink = |event: Event| live.hear(event);
            let ended = api
                .scenario_run(request, live.cancel.clone(), &mut said, &sink)
                .await;
            let mut state = live.state();
            state.over = Some(Instant::now());
            match ended {
                Ok(summary) => state.summary = Some(summary),
                Err(error) => state.error = Some(error),
            }
        });
        Ok(id)
    }

    /// The runs of scenarios of this process, the newest first.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn scenario_live(&self) -> Result<Vec<ScenarioLive>, WireError> {
        let all = self.live_scenarios();
        Ok(all.iter().rev().map(|run| run.told()).collect())
    }

    /// What the log of a live run's trial says after a place.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn scenario_log(
        &self,
        id: &str,
        scenario: &str,
        instance: &str,
        repetition: u32,
        after: u64,
    ) -> Result<ScenarioLogPiece, WireError> {
        let run = self.live_scenario(id)?;
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
    pub fn scenario_cancel(&self, id: &str) -> Result<(), WireError> {
        self.live_scenario(id)?.cancel.cancel();
        Ok(())
    }

    fn live_scenario(&self, id: &str) -> Result<Arc<LiveScenario>, WireError> {
        self.live_scenarios()
            .iter()
            .find(|run| run.id == id)
            .cloned()
            .ok_or_else(|| WireError::not_found("there is no such run of scenarios in this process"))
    }

    fn live_scenarios(&self) -> MutexGuard<'_, Vec<Arc<LiveScenario>>> {
        self.inner
            .scenarios
            .all
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_underway(run: &LiveScenario) -> bool {
    let state = run.state();
    state.summary.is_none() && state.error.is_none()
}
