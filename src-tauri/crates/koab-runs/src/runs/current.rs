//! The runs of this process: watched, held, cancelled, and kept track of.

use crate::runs::live::LiveRun;
use crate::wire::{RunSnapshot, WireError};
use crate::{Library, Runs};
use koab_core::say;
use koab_engine::ports::{Cancel, EventSink, Pause};
use koab_workspace::jobs::JobKind;
use std::sync::{Arc, PoisonError};

/// Runs that are over and whose events are kept all the same.
const REMEMBERED: usize = 3;

impl Runs {
    /// Watches a run of this process: all events so far at once, later ones through `sink`.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_subscribe(&self, run: &str, sink: Arc<dyn EventSink>) -> Result<RunSnapshot, WireError> {
        Ok(self.live(run)?.subscribe(sink))
    }

    /// Cancels a run of this process and its scoring, whoever asked for that. What was done is
    /// kept.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_cancel(&self, run: &str) -> Result<(), WireError> {
        let live = self.live(run);
        let id = live.as_ref().ok().and_then(|live| live.id.get());
        let was_scored = self.workspace.cancel_jobs(JobKind::Evaluation, id.map_or(run, String::as_str));
        match live {
            Ok(live) => {
                self.workspace.cancel_jobs(JobKind::Run, &live.run);
            }
            Err(error) if !was_scored => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }

    /// Holds a run of this process: nothing begins any more, calls that are out come to their end.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_pause(&self, run: &str) -> Result<(), WireError> {
        self.hold(run, true)
    }

    /// Lets a held run go on.
    ///
    /// # Errors
    /// When this process knows no such run.
    pub fn run_unpause(&self, run: &str) -> Result<(), WireError> {
        self.hold(run, false)
    }

    fn hold(&self, run: &str, on: bool) -> Result<(), WireError> {
        let live = self.live(run)?;
        live.pause.set(on);
        live.job.news();
        Ok(())
    }

    /// The run under way in this process.
    pub(crate) fn current_run(&self) -> Option<String> {
        self.library.runs_here().iter().rev().find(|live| !live.finished()).map(|live| live.run.clone())
    }

    /// The run under way that a page can show as one; forks have a page of their own.
    pub fn current_shown(&self) -> Option<String> {
        self.current_run().filter(|run| !run.starts_with(koab_store::forks::PREFIX))
    }

    fn live(&self, run: &str) -> Result<Arc<LiveRun>, WireError> {
        self.library.live_run(run).ok_or_else(|| WireError::not_found(say!("no run {run} is under way")))
    }

    /// Takes a run up among those of this process. Its job is under way from then on.
    pub(crate) fn enter(&self, run: &str, cancel: Cancel, pause: Pause) -> Result<Arc<LiveRun>, WireError> {
        let mut live = self.library.runs_here();
        // One that goes on under its own name takes the place of its last start.
        live.retain(|other| other.run != run || !other.finished());
        if live.iter().any(|other| other.run == run) {
            return Err(WireError::bad_request(say!("there is a run {run} already")));
        }
        // What they wrote is on the disk; their events would only fill the memory.
        let over: Vec<String> = live.iter().filter(|run| run.finished()).map(|run| run.run.clone()).collect();
        let forgotten = &over[..over.len().saturating_sub(REMEMBERED)];
        live.retain(|run| !forgotten.contains(&run.run));
        let about = vec![run.to_owned()];
        let job = self.workspace.begin_job(JobKind::Run, about, Some(&cancel));
        let entered = Arc::new(LiveRun::new(run.to_owned(), cancel, pause, job));
        live.push(Arc::clone(&entered));
        Ok(entered)
    }

    pub(crate) fn leave(&self, gone: &Arc<LiveRun>) {
        self.library.runs_here().retain(|live| !Arc::ptr_eq(live, gone));
    }
}

impl Library {
    pub(crate) fn runs_here(&self) -> std::sync::MutexGuard<'_, Vec<Arc<LiveRun>>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run of this process.
    pub(crate) fn live_run(&self, run: &str) -> Option<Arc<LiveRun>> {
        // A run that went on in this process is here twice under its id in the list; its last start
        // is the run.
        self.runs_here().iter().rev().find(|live| live.is(run)).cloned()
    }
}
