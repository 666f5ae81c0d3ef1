//! Live runs: keeps every event of a run and hands it on to whoever watches.
//!
//! A window that is reloaded subscribes again and gets all events so far at once; its reducer draws them as it draws
//! later ones. No event is lost between the two, because both happen under one lock.

use crate::wire::RunSnapshot;
use koab_core::event::{RunEvent, RunEventKind};
use koab_engine::ports::{Cancel, EventSink};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One run in this process.
pub(crate) struct LiveRun {
    pub(crate) run: String,
    pub(crate) cancel: Cancel,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    events: Vec<RunEvent>,
    watchers: Vec<Arc<dyn EventSink>>,
    finished: bool,
}

impl LiveRun {
    pub(crate) fn new(run: String, cancel: Cancel) -> Self {
        Self {
            run,
            cancel,
            state: Mutex::default(),
        }
    }

    /// Adds a watcher and returns the events that it has missed.
    pub(crate) fn subscribe(&self, watcher: Arc<dyn EventSink>) -> RunSnapshot {
        let mut state = self.state();
        if !state.finished {
            state.watchers.push(watcher);
        }
        RunSnapshot {
            run: self.run.clone(),
            events: state.events.clone(),
            finished: state.finished,
        }
    }

    pub(crate) fn finished(&self) -> bool {
        self.state().finished
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

impl EventSink for LiveRun {
    fn send(&self, event: &RunEvent) {
        let mut state = self.state();
        state.events.push(event.clone());
        for watcher in &state.watchers {
            watcher.send(event);
        }
        if matches!(event.kind, RunEventKind::RunFinished { .. }) {
            state.finished = true;
            state.watchers.clear();
        }
    }
}
