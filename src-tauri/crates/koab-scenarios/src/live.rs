//! State and output of running scenarios, for a user interface.
//!
//! The user interface reads them whenever the background job of the run reports a change. It stores
//! no state itself: it sends its position in the displayed log and receives the text after that
//! position, so a reload of the page loses nothing.

use koab_core::sentence::Sentence;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::layout::TrialId;
use crate::outcome::Cause;
use crate::resume::Step;
use crate::run::Event;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::request::{ScenarioRequest, ScenarioSummary};
use koab_workspace::WireError;
use koab_workspace::jobs::JobState;

/// Bytes of a trial's log kept in memory; the whole log is in its file.
const LOG_TAIL_BYTES: usize = 256 * 1024;

/// A run of scenarios that is under way or has ended.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ScenarioLive {
    /// Id of the run.
    pub id: String,
    /// Request that started the run.
    pub request: ScenarioRequest,
    /// Trials in order; empty until the run has been planned.
    pub trials: Vec<ScenarioTrial>,
    /// Last line of output from pulling or building the image.
    pub said: Option<Sentence>,
    /// Summary of the run, once it has ended.
    pub summary: Option<ScenarioSummary>,
    /// Reason why the run did not begin or failed.
    pub error: Option<WireError>,
    /// Whether the user has asked the run to stop.
    pub cancelling: bool,
    /// Seconds from the request to the end of the run, or to now.
    pub elapsed_s: f64,
}

/// One trial of a live run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioTrial {
    /// Name of the scenario file.
    pub scenario: String,
    /// Id of the instance.
    pub instance: String,
    /// 0-based repetition.
    pub repetition: u32,
    /// State of the trial.
    pub state: TrialState,
    /// Cause of the trial's end, as in `outcome.json`; none until it has ended.
    pub cause: Option<String>,
    /// Duration in seconds.
    pub seconds: Option<f64>,
}

/// State of a trial in a live run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TrialState {
    /// The trial has not started yet.
    Waiting,
    /// The trial is running.
    Running,
    /// The trial ended in this run.
    Ended,
    /// The trial was finished before this run.
    Skipped,
}

/// A piece of a trial's log.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioLogPiece {
    /// Text after the requested position.
    pub text: String,
    /// Position after the text, in bytes from the log's beginning.
    #[ts(type = "number")]
    pub next: u64,
    /// Whether text after the requested position is no longer in memory and therefore missing.
    pub cut: bool,
}

/// Runs of scenarios that this process started.
#[derive(Default)]
pub(crate) struct LiveScenarios {
    pub(super) all: Mutex<Vec<Arc<LiveScenario>>>,
}

pub(super) struct LiveScenario {
    pub(super) id: String,
    pub(super) request: ScenarioRequest,
    pub(super) job: Arc<JobState>,
    pub(super) state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) order: Vec<TrialId>,
    pub(super) trials: BTreeMap<TrialId, (TrialState, Option<String>, Option<f64>)>,
    pub(super) logs: BTreeMap<TrialId, Log>,
    /// Number of trials that are skipped or have ended.
    pub(super) done: u64,
    pub(super) said: Option<Sentence>,
    pub(super) summary: Option<ScenarioSummary>,
}

#[derive(Default)]
pub(super) struct Log {
    /// Number of bytes that were dropped from the beginning of the log.
    pub(super) dropped: u64,
    pub(super) text: String,
}

impl LiveScenario {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of trials that are done, and number of all trials; `u64::MAX` until the run has been
    /// planned.
    pub(super) fn progress(&self) -> (u64, u64) {
        let state = self.state();
        let all = Some(state.order.len() as u64).filter(|all| *all > 0);
        (state.done, all.unwrap_or(u64::MAX))
    }

    pub(super) fn hear(&self, event: Event) {
        let mut state = self.state();
        match event {
            Event::Planned(plan) => {
                for (trial, step) in plan {
                    state.done += u64::from(matches!(step, Step::Skip(_)));
                    let now = match step {
                        Step::Skip(outcome) => {
                            (TrialState::Skipped, Some(outcome.cause.name().to_owned()), outcome.seconds)
                        }
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
                state.done += 1;
                let now = (TrialState::Ended, Some(outcome.cause.name().to_owned()), outcome.seconds);
                state.trials.insert(trial, now);
            }
            // The reason is in the summary. The other trials continue.
            Event::Broken(trial, _) => {
                state.done += 1;
                let now = (TrialState::Ended, Some(Cause::Lost.name().to_owned()), None);
                state.trials.insert(trial, now);
            }
        }
    }

    pub(super) fn view(&self) -> ScenarioLive {
        let (job, state) = (self.job.view(), self.state());
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
            cancelling: job.cancelling && !job.finished,
            elapsed_s: job.took_ms as f64 / 1e3,
            error: job.error,
        }
    }
}

impl Log {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() > 2 * LOG_TAIL_BYTES {
            let cut = self.text.floor_char_boundary(self.text.len() - LOG_TAIL_BYTES);
            self.text.drain(..cut);
            self.dropped += cut as u64;
        }
    }

    pub(super) fn after(&self, place: u64) -> ScenarioLogPiece {
        let end = self.dropped + self.text.len() as u64;
        let from = usize::try_from(place.saturating_sub(self.dropped)).unwrap_or(usize::MAX);
        let from = self.text.ceil_char_boundary(from.min(self.text.len()));
        ScenarioLogPiece { text: self.text[from..].to_owned(), next: end, cut: place < self.dropped }
    }
}
