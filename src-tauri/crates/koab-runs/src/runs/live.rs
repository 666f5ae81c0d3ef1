//! Live runs: keeps every event of a run and hands it on to whoever watches.
//!
//! A window that is reloaded subscribes again and gets all events so far at once; its reducer draws them as it draws
//! later ones. No event is lost between the two, because both happen under one lock.

use crate::wire::RunSnapshot;
use koab_core::event::{RunEvent, RunEventKind};
use koab_engine::ports::{Cancel, EventSink, Pause};
use koab_workspace::jobs::Underway;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// One run in this process.
pub(crate) struct LiveRun {
    pub(crate) run: String,
    pub(crate) cancel: Cancel,
    pub(crate) pause: Pause,
    /// Tells that it is under way. Whoever entered it ends it, when nothing follows any more.
    pub(crate) job: Underway,
    /// Its id in the list of runs, once its folder is made. The list has it a little later ([`Self::listed`]).
    pub(crate) id: OnceLock<String>,
    /// The collector that gets its spans, once it has begun.
    pub(crate) spans_to: OnceLock<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    events: Vec<RunEvent>,
    watchers: Vec<Arc<dyn EventSink>>,
    finished: bool,
    /// Attempts that are over, and all of them.
    done: u64,
    planned: u64,
}

impl LiveRun {
    pub(crate) fn new(run: String, cancel: Cancel, job: Underway) -> Self {
        Self {
            run,
            cancel,
            pause: Pause::default(),
            job,
            id: OnceLock::new(),
            spans_to: OnceLock::new(),
            state: Mutex::default(),
        }
    }

    /// Whether this is the run that `id` names: by the id it was asked for under, or by its id in the list.
    pub(crate) fn is(&self, id: &str) -> bool {
        self.run == id || self.id.get().is_some_and(|own| own == id)
    }

    /// Its id once the run is in the list: its journal has its first line before its first event is sent.
    pub(crate) fn listed(&self) -> Option<String> {
        self.id.get().filter(|_| !self.state().events.is_empty()).cloned()
    }

    /// Adds a watcher and returns the events that it has missed.
    pub(crate) fn subscribe(&self, watcher: Arc<dyn EventSink>) -> RunSnapshot {
        let mut state = self.state();
        if !state.finished {
            state.watchers.push(watcher);
        }
        RunSnapshot {
            run: self.run.clone(),
            events: worth_telling(&state.events),
            finished: state.finished,
        }
    }

    /// All events so far, for whoever does not go on watching.
    pub(crate) fn so_far(&self) -> RunSnapshot {
        let state = self.state();
        RunSnapshot {
            run: self.run.clone(),
            events: worth_telling(&state.events),
            finished: state.finished,
        }
    }

    pub(crate) fn finished(&self) -> bool {
        self.state().finished
    }

    /// Whether it goes and this attempt of it is still to end.
    pub(crate) fn awaits(&self, task: &str, repetition: u32) -> bool {
        let state = self.state();
        let ended = |event: &RunEvent| {
            matches!(&event.kind, RunEventKind::AttemptFinished { task: of, repetition: at, .. }
                if of == task && *at == repetition)
        };
        !state.finished && !state.events.iter().any(ended)
    }

    /// The run's folder, once it is over and was kept.
    pub(crate) fn folder(&self) -> Option<String> {
        match self.state().events.last()?.kind.clone() {
            RunEventKind::RunFinished { folder, .. } => folder,
            _ => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The events without those that a later one has made empty: that an attempt, which is over, was about to do something.
fn worth_telling(events: &[RunEvent]) -> Vec<RunEvent> {
    let over: HashSet<(&str, u32)> = events
        .iter()
        .filter_map(|event| match &event.kind {
            RunEventKind::AttemptFinished { task, repetition, .. } => Some((task.as_str(), *repetition)),
            _ => None,
        })
        .collect();
    let empty = |event: &&RunEvent| match &event.kind {
        RunEventKind::StepStarted { task, repetition, .. }
        | RunEventKind::Waiting { task, repetition, .. } => over.contains(&(task.as_str(), *repetition)),
        _ => false,
    };
    events.iter().filter(|event| !empty(event)).cloned().collect()
}

impl EventSink for LiveRun {
    fn send(&self, event: &RunEvent) {
        let mut state = self.state();
        state.events.push(event.clone());
        for watcher in &state.watchers {
            watcher.send(event);
        }
        match &event.kind {
            RunEventKind::RunStarted { attempts, .. } => {
                state.planned = u64::from(*attempts);
                self.job.progress(0, state.planned);
                // Its id in the list, and who gets its spans.
                self.job.news();
            }
            RunEventKind::AttemptFinished { .. } => {
                state.done += 1;
                self.job.progress(state.done, state.planned);
            }
            RunEventKind::RunFinished { .. } => {
                state.finished = true;
                state.watchers.clear();
            }
            _ => {}
        }
    }
}
