//! Live runs: keeps the state of a run, and forwards its events to its subscribers.
//!
//! A window that was reloaded subscribes again. It immediately gets the past events of the run, and
//! its reducer handles them like later events. No event is lost in between, because both steps are
//! under one lock. Ended attempts are combined into one event per task ([`TaskSoFar`]), so that a
//! long run takes little memory and is drawn quickly.

use super::hand::Hand;
use crate::wire::RunSnapshot;
use koab_core::event::{RunEvent, RunEventKind, TaskSoFar};
use koab_core::run_record::RunChange;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, ChangeSender, EventSink, Pause};
use koab_workspace::jobs::Underway;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A run of this process.
pub struct LiveRun {
    /// Id of the run in its request.
    pub run: String,
    /// Cancels the run.
    pub cancel: Cancel,
    /// Pauses the run.
    pub pause: Pause,
    /// The job in the list of running jobs. The function that added the run to the process finishes
    /// the job.
    pub job: Underway,
    /// Id in the list of runs; set when the folder of the run exists. The run is in the list a
    /// little later ([`Self::listed`]).
    pub id: OnceLock<String>,
    /// Display name of the model; set when the folder of the run exists.
    pub model: OnceLock<String>,
    /// Address of the OpenTelemetry collector that receives the run's spans; set when the run has
    /// started.
    pub spans_to: OnceLock<String>,
    /// Means of changing the run, or the reason why it cannot be changed; set when the run begins.
    pub changes: OnceLock<Result<LiveChanges, Sentence>>,
    /// The prompt that the user has to give to an agent by hand.
    pub hand: Hand,
    state: Mutex<State>,
}

/// Means of changing a running run.
#[derive(Debug)]
pub struct LiveChanges {
    /// Sends requests to the run.
    pub sender: ChangeSender,
    /// Model id of the run, which is opened again at another address.
    pub model: String,
    /// Sampling seed of the run.
    pub seed: Option<u64>,
    /// Number of conversations that a model inside the application was loaded for; `None` for other
    /// models.
    pub conversations: Option<u32>,
}

#[derive(Default)]
struct State {
    /// The event of the run's start; `None` before the start.
    start: Option<RunEvent>,
    /// Changes of the run, in order.
    changes: Vec<RunEvent>,
    /// Tasks with ended attempts, ordered by their first end.
    tasks: Vec<TaskSoFar>,
    places: HashMap<String, usize>,
    /// Events of attempts that have not ended, by task and repetition of the attempt.
    flying: HashMap<(String, u32), Vec<RunEvent>>,
    /// The event of the pause; `None` if the run is not paused.
    paused: Option<RunEvent>,
    /// The newest event of the run.
    last: Option<RunEvent>,
    watchers: Vec<Arc<dyn EventSink>>,
    finished: bool,
    /// Number of ended attempts.
    done: u64,
    planned: u64,
}

impl LiveRun {
    /// Creates a run that has not started. `run` is its id in the request.
    pub fn new(run: String, cancel: Cancel, pause: Pause, job: Underway) -> Self {
        Self {
            run,
            cancel,
            pause,
            job,
            id: OnceLock::new(),
            model: OnceLock::new(),
            spans_to: OnceLock::new(),
            changes: OnceLock::new(),
            hand: Hand::default(),
            state: Mutex::default(),
        }
    }

    /// Whether `id` is the id of this run in its request or in the list of runs.
    pub fn is(&self, id: &str) -> bool {
        self.run == id || self.id.get().is_some_and(|own| own == id)
    }

    /// Returns the run's id if the run is in the list of runs. The first line of the journal is
    /// written before the first event is sent.
    pub fn listed(&self) -> Option<String> {
        self.id.get().filter(|_| self.state().start.is_some()).cloned()
    }

    /// Adds a subscriber, and returns the events until now.
    pub fn subscribe(&self, watcher: Arc<dyn EventSink>) -> RunSnapshot {
        let mut state = self.state();
        if !state.finished {
            state.watchers.push(watcher);
        }
        RunSnapshot { run: self.run.clone(), events: state.events(), finished: state.finished }
    }

    /// Returns all events until now, without adding a subscriber.
    pub fn so_far(&self) -> RunSnapshot {
        let state = self.state();
        RunSnapshot { run: self.run.clone(), events: state.events(), finished: state.finished }
    }

    /// Whether the last event has been sent.
    pub fn finished(&self) -> bool {
        self.state().finished
    }

    /// Whether the run is being made and this repetition of the task has not ended.
    pub(crate) fn awaits(&self, task: &str, repetition: u32) -> bool {
        let state = self.state();
        let place = state.places.get(task);
        !state.finished && !place.is_some_and(|place| state.tasks[*place].has(repetition))
    }

    /// Returns the folder of the run after the run has ended; `None` if the run was not saved.
    pub(crate) fn folder(&self) -> Option<String> {
        match self.state().last.as_ref()?.kind.clone() {
            RunEventKind::RunFinished { folder, .. } => folder,
            _ => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the events of the run until now: the start, ended attempts, and attempts that have
    /// not ended.
    fn events(&self) -> Vec<RunEvent> {
        let Some(start) = &self.start else {
            return Vec::new();
        };
        let mut events = vec![start.clone()];
        // Before the attempts: an attempt that was made again may have ended since.
        events.extend(self.changes.iter().cloned());
        let so_far = self.tasks.iter().map(|so_far| RunEvent {
            kind: RunEventKind::AttemptsEnded { so_far: so_far.clone() },
            ..start.clone()
        });
        events.extend(so_far);
        let mut flying: Vec<&RunEvent> = self.flying.values().flatten().collect();
        flying.sort_by_key(|event| event.elapsed_ms);
        events.extend(flying.into_iter().cloned());
        events.extend(self.paused.clone());
        events.extend(self.last.iter().filter(|_| self.finished).cloned());
        events
    }

    /// Opens a failed attempt again. Nothing happens if it has not ended in this start.
    fn reopen(&mut self, task: &str, repetition: u32) {
        let Some(place) = self.places.get(task) else { return };
        let task = &mut self.tasks[*place];
        if task.has(repetition) {
            task.reopen(repetition);
            self.done -= 1;
        }
    }

    fn keep(&mut self, event: &RunEvent) {
        self.last = Some(event.clone());
        match &event.kind {
            RunEventKind::RunStarted { .. } => self.start = Some(event.clone()),
            RunEventKind::AttemptsEnded { so_far } => {
                self.places.insert(so_far.task.clone(), self.tasks.len());
                self.tasks.push(so_far.clone());
            }
            RunEventKind::AttemptFinished { task, level, repetition, .. } => {
                let place = *self.places.entry(task.clone()).or_insert(self.tasks.len());
                if place == self.tasks.len() {
                    self.tasks.push(TaskSoFar::new(task.clone(), level.clone()));
                }
                let before = self.flying.remove(&(task.clone(), *repetition));
                for event in before.iter().flatten().chain([event]) {
                    self.tasks[place].take(&event.kind);
                }
            }
            RunEventKind::RunPaused { .. } => self.paused = Some(event.clone()),
            RunEventKind::RunResumed {} => self.paused = None,
            RunEventKind::RunChanged { record, planned } => {
                self.planned = u64::from(*planned);
                if let RunChange::Retry { attempts } = &record.change {
                    for attempt in attempts {
                        self.reopen(&attempt.task, attempt.repetition.unwrap_or(1));
                    }
                }
                self.changes.push(event.clone());
            }
            RunEventKind::RunFinished { .. } => {}
            RunEventKind::AttemptStarted { task, repetition, .. }
            | RunEventKind::StepStarted { task, repetition, .. }
            | RunEventKind::StepFinished { task, repetition, .. }
            | RunEventKind::CallFailed { task, repetition, .. }
            | RunEventKind::ToolAnswered { task, repetition, .. }
            | RunEventKind::Waiting { task, repetition, .. } => {
                let key = (task.clone(), *repetition);
                self.flying.entry(key).or_default().push(event.clone());
            }
        }
    }
}

impl EventSink for LiveRun {
    fn send(&self, event: &RunEvent) {
        let mut renamed = None;
        if let (RunEventKind::RunStarted { .. }, Some(name)) = (&event.kind, self.model.get()) {
            let renamed = renamed.insert(event.clone());
            if let RunEventKind::RunStarted { model, .. } = &mut renamed.kind {
                model.clone_from(name);
            }
        }
        let event = renamed.as_ref().unwrap_or(event);
        let mut state = self.state();
        state.keep(event);
        for watcher in &state.watchers {
            watcher.send(event);
        }
        match &event.kind {
            RunEventKind::RunStarted { attempts, .. } => {
                state.planned = u64::from(*attempts);
                self.job.progress(0, state.planned);
                // The id in the list and the collector are known now.
                self.job.news();
            }
            RunEventKind::AttemptsEnded { so_far } => {
                state.done += so_far.ended() as u64;
                self.job.progress(state.done, state.planned);
            }
            RunEventKind::AttemptFinished { .. } => {
                state.done += 1;
                self.job.progress(state.done, state.planned);
            }
            RunEventKind::RunChanged { .. } => {
                self.job.progress(state.done, state.planned);
                self.job.news();
            }
            // The run may pause itself, and the queue shows that.
            RunEventKind::RunPaused { .. } | RunEventKind::RunResumed {} => self.job.news(),
            RunEventKind::RunFinished { .. } => {
                state.finished = true;
                state.watchers.clear();
            }
            _ => {}
        }
    }
}
