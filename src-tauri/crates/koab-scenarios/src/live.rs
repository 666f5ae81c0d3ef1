//! What running scenarios have said so far, for a face that asks whenever their job tells that
//! there is more.
//!
//! A face holds nothing of its own: it asks with the place up to which it has read the log of the
//! trial it shows, and gets the rest, so a reload shows the same.

use koab_core::sentence::Sentence;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use koab_sandbox::layout::TrialId;
use koab_sandbox::outcome::Cause;
use koab_sandbox::resume::Step;
use koab_sandbox::run::Event;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::request::{ScenarioRequest, ScenarioSummary};
use koab_workspace::WireError;
use koab_workspace::jobs::JobState;

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
    pub said: Option<Sentence>,
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
    /// How many of them are skipped or have ended.
    pub(super) done: u64,
    pub(super) said: Option<Sentence>,
    pub(super) summary: Option<ScenarioSummary>,
}

#[derive(Default)]
pub(super) struct Log {
    /// Bytes that were dropped before the text.
    pub(super) dropped: u64,
    pub(super) text: String,
}

impl LiveScenario {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Trials that need nothing any more, and all of them once they are known.
    pub(super) fn far(&self) -> (u64, u64) {
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
            // Why is in the summary; the others go on.
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
        if self.text.len() > 2 * TAIL {
            let cut = self.text.floor_char_boundary(self.text.len() - TAIL);
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
