//! The runs of this process: subscribes to them, pauses and cancels them.

use crate::Runs;
use koab_core::say;
use koab_engine::ports::{Cancel, EventSink, Pause};
use koab_library::RunSnapshot;
use koab_library::live::LiveRun;
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use std::sync::Arc;

/// Maximum number of ended runs whose events remain in memory.
const MAX_ENDED_RUNS: usize = 3;

impl Runs {
    /// Subscribes to a run of this process. Returns all events until now, and sends later events to
    /// `sink`.
    ///
    /// # Errors
    /// When this process has no such run.
    pub fn run_subscribe(&self, run: &str, sink: Arc<dyn EventSink>) -> Result<RunSnapshot, WireError> {
        Ok(self.live(run)?.subscribe(sink))
    }

    /// Cancels a run of this process and its scoring. The results until now are kept.
    ///
    /// # Errors
    /// When this process has no such run.
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

    /// Pauses a run of this process. No new call starts, and calls in flight continue to their end.
    ///
    /// # Errors
    /// When this process has no such run.
    pub fn run_pause(&self, run: &str) -> Result<(), WireError> {
        self.hold(run, true)
    }

    /// Continues a paused run.
    ///
    /// # Errors
    /// When this process has no such run.
    pub fn run_unpause(&self, run: &str) -> Result<(), WireError> {
        self.hold(run, false)
    }

    fn hold(&self, run: &str, on: bool) -> Result<(), WireError> {
        let live = self.live(run)?;
        live.pause.set(on);
        live.job.news();
        Ok(())
    }

    /// Returns the id of the run that this process is making.
    pub(crate) fn current_run(&self) -> Option<String> {
        self.library.runs_here().iter().rev().find(|live| !live.finished()).map(|live| live.run.clone())
    }

    /// Returns the id of the current run for the run page. `None` for a fork, which has a page of
    /// its own.
    pub fn current_shown(&self) -> Option<String> {
        self.current_run().filter(|run| !run.starts_with(koab_store::forks::PREFIX))
    }

    fn live(&self, run: &str) -> Result<Arc<LiveRun>, WireError> {
        self.library.live_run(run).ok_or_else(|| WireError::not_found(say!("no run {run} is under way")))
    }

    /// Adds a run to the runs of this process, and starts its job.
    pub(crate) fn enter(&self, run: &str, cancel: Cancel, pause: Pause) -> Result<Arc<LiveRun>, WireError> {
        let mut live = self.library.runs_here();
        // A resumed run replaces its earlier, ended session.
        live.retain(|other| other.run != run || !other.finished());
        if live.iter().any(|other| other.run == run) {
            return Err(WireError::bad_request(say!("there is a run {run} already")));
        }
        // Ended runs are on the disk, so the events of older ones are dropped.
        let over: Vec<String> = live.iter().filter(|run| run.finished()).map(|run| run.run.clone()).collect();
        let forgotten = &over[..over.len().saturating_sub(MAX_ENDED_RUNS)];
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
