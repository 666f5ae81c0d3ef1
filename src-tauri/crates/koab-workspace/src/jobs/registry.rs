//! Registry of a process's jobs.

use super::changes::Changes;
use crate::clock::SystemClock;
use crate::error::WireError;
use koab_core::say;
use koab_engine::ports::{Cancel, Clock as _};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::SetOnce;
use ts_rs::TS;

/// Maximum number of finished jobs that are kept. The oldest are dropped.
pub(super) const MAX_FINISHED: usize = 20;

/// Kind of work. It determines the texts in [`Job::about`] and the unit of [`Job::done`]; both are
/// given for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum JobKind {
    /// A run until the end of its scoring, or a fork. `about` has the requested id; `done` counts
    /// attempts. [`Job::news`] grows whenever the queue of runs or the state of the run changes.
    Run,
    /// Scoring of a run. `about` has the run; `done` counts judge answers.
    Evaluation,
    /// Judging of runs without scoring. `about` has the runs; `done` counts judge answers.
    Judging,
    /// Import of files of any kind. `about` has the first path and the number of other paths;
    /// `done` counts files.
    Import,
    /// Import of a pack. `about` has its path; `done` counts files of cached responses.
    PackImport,
    /// Download of a pack or of published tasks. `about` has the repository or URL; `done` counts
    /// bytes. When the job is stopped, finished files from a hub are kept.
    PackPull,
    /// Export of files. `about` has the exported object.
    Export,
    /// Deletion. `about` has the deleted object.
    Deletion,
    /// Conversion of a model to a GGUF file. `about` has the model's name and the precision; `done`
    /// counts bytes.
    ModelConversion,
    /// Download of a model. `about` has the repository; `done` counts bytes. When the job is
    /// stopped, finished parts are kept.
    ModelPull,
    /// Check of a model's files against their hashes. `about` has the model; `done` counts bytes.
    ModelCheck,
    /// Trial of a local model, which measures its memory and speed. `about` has the model's name;
    /// `done` counts the model's answers.
    ModelTrial,
    /// Live calls for the cache misses of a run. `about` has the run; `done` counts calls.
    CacheFill,
    /// Check of a bundle. `about` has the bundle's file; `done` counts bytes.
    BundleCheck,
    /// A sweep. `about` has its id and name; `done` counts attempts. [`Job::news`] grows whenever
    /// one of its runs begins or ends.
    Sweep,
    /// An adaptive run. `about` has its id and model; `done` counts attempts out of the expected
    /// number. [`Job::news`] grows whenever one of its runs begins or ends.
    Adaptive,
    /// A run of scenarios. `about` has its id; `done` counts trials. [`Job::news`] grows whenever
    /// its state changes.
    ScenarioRun,
    /// Recording of an MCP server. `about` has the pack. [`Job::news`] grows whenever more has been
    /// recorded. When the job is stopped, the recording so far is kept.
    Recording,
    /// Update of the index of the search. `done` counts runs. When the job is stopped, the runs
    /// that were read are kept.
    FindIndex,
}

impl JobKind {
    /// Whether the steps of this kind of work are bytes.
    fn counts_bytes(self) -> bool {
        match self {
            Self::PackPull
            | Self::ModelConversion
            | Self::ModelPull
            | Self::ModelCheck
            | Self::BundleCheck => true,
            Self::Run
            | Self::Evaluation
            | Self::Judging
            | Self::Import
            | Self::PackImport
            | Self::Export
            | Self::Deletion
            | Self::ModelTrial
            | Self::CacheFill
            | Self::ScenarioRun
            | Self::Sweep
            | Self::Adaptive
            | Self::Recording
            | Self::FindIndex => false,
        }
    }
}

/// A job in progress, or one that has recently finished.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Job {
    /// Id, unique among all processes of a day.
    pub id: String,
    /// Kind of the job.
    pub kind: JobKind,
    /// Subject of the job, as described at [`JobKind`]. The UI puts it into a sentence.
    pub about: Vec<String>,
    /// Number of finished steps.
    #[ts(type = "number")]
    pub done: u64,
    /// Number of all steps. `null` while unknown.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
    /// Whether the steps of the job are bytes.
    pub in_bytes: bool,
    /// Number of changes that no other field of the job shows. When the number grows, the UI
    /// fetches the changed data separately.
    #[ts(type = "number")]
    pub news: u64,
    /// Start time in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub since_ms: u64,
    /// Duration in milliseconds.
    #[ts(type = "number")]
    pub took_ms: u64,
    /// Whether [`Workspace::job_cancel`] can stop the job.
    pub cancellable: bool,
    /// Whether the job has been requested to stop.
    pub cancelling: bool,
    /// Whether the job has finished.
    pub finished: bool,
    /// Error that ended the job, if it failed.
    pub error: Option<WireError>,
}

/// Jobs of this process, oldest first.
#[derive(Default)]
pub struct Jobs {
    pub(super) all: Mutex<Vec<Arc<JobState>>>,
    pub(super) begun: AtomicU64,
    pub(super) changes: Arc<Changes>,
    /// Triggered when changes are no longer reported.
    pub(super) farewell: Cancel,
}

/// Shared state of a job, for observing and stopping it. It stays valid after the job is dropped
/// from the list.
pub struct JobState {
    pub(super) id: String,
    pub(super) kind: JobKind,
    pub(super) about: Vec<String>,
    pub(super) since_ms: u64,
    pub(super) cancel: Option<Cancel>,
    pub(super) done: AtomicU64,
    /// Number of all steps; `u64::MAX` while unknown.
    pub(super) total: AtomicU64,
    pub(super) news: AtomicU64,
    pub(super) end: SetOnce<End>,
    /// Number of the job's last change.
    pub(super) changed: AtomicU64,
    pub(super) changes: Arc<Changes>,
}

pub(super) struct End {
    at_ms: u64,
    error: Option<WireError>,
}

/// Handle of a job for the code that does the work. A handle that is dropped before the end (its
/// caller went away) marks the job as cancelled.
pub struct Underway(Arc<JobState>);

impl Jobs {
    pub(super) fn begin(&self, kind: JobKind, about: Vec<String>, cancel: Option<&Cancel>) -> Underway {
        let since_ms = SystemClock.now_ms();
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let state = Arc::new(JobState {
            id: format!("{since_ms}-{number}"),
            kind,
            about,
            since_ms,
            cancel: cancel.cloned(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(u64::MAX),
            news: AtomicU64::new(0),
            end: SetOnce::new(),
            changed: AtomicU64::new(0),
            changes: Arc::clone(&self.changes),
        });
        let mut all = self.all();
        all.push(Arc::clone(&state));
        let mut over = all.iter().filter(|state| state.is_over()).count();
        all.retain(|state| {
            let goes = over > MAX_FINISHED && state.is_over();
            over -= usize::from(goes);
            !goes
        });
        drop(all);
        state.tell();
        Underway(state)
    }

    pub(super) fn all(&self) -> MutexGuard<'_, Vec<Arc<JobState>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Underway {
    /// Id of the job, as in [`Job::id`].
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Shared state of the job, for observers.
    pub fn state(&self) -> Arc<JobState> {
        Arc::clone(&self.0)
    }

    /// Reports that `done` of `total` steps (for downloads, bytes) are finished. A smaller `done`
    /// than before is ignored.
    pub fn progress(&self, done: u64, total: u64) {
        self.0.total.store(total, Ordering::Relaxed);
        // Steps may finish on several threads, so the count must not decrease.
        self.0.done.fetch_max(done, Ordering::Relaxed);
        self.0.tell();
    }

    /// Signals a change that the counts do not show. Does nothing after the end of the job.
    pub fn news(&self) {
        if !self.0.is_over() {
            self.0.news.fetch_add(1, Ordering::Relaxed);
            self.0.tell();
        }
    }

    /// Finishes the job with this result, and returns the result.
    pub fn finish<T>(&self, result: Result<T, WireError>) -> Result<T, WireError> {
        self.0.finish(result.as_ref().err().cloned());
        result
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let gone = WireError::cancelled(say!("stopped before it was done"));
        self.0.finish(Some(gone));
    }
}

impl JobState {
    /// Whether the job has finished.
    pub fn is_over(&self) -> bool {
        self.end.get().is_some()
    }

    /// Waits for the end of the job.
    pub async fn over(&self) {
        self.end.wait().await;
    }

    /// Error that ended the job. `None` when it is still in progress or succeeded.
    pub fn error(&self) -> Option<&WireError> {
        self.end.get()?.error.as_ref()
    }

    /// Asks the job to stop. Returns `false`, with nothing done, when it has finished or cannot be
    /// stopped.
    pub fn stop(&self) -> bool {
        let cancel = self.cancel.as_ref().filter(|_| !self.is_over());
        if let Some(cancel) = cancel {
            cancel.cancel();
            self.tell();
        }
        cancel.is_some()
    }

    /// Marks the job as finished. Only the first call counts.
    fn finish(&self, error: Option<WireError>) {
        let at_ms = SystemClock.now_ms();
        if self.end.set(End { at_ms, error }).is_ok() {
            self.tell();
        }
    }

    /// Reports a change of the job to its observers.
    fn tell(&self) {
        self.changes.tell(&self.changed);
    }

    /// Current state of the job.
    pub fn view(&self) -> Job {
        let end = self.end.get();
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|total| *total != u64::MAX);
        Job {
            id: self.id.clone(),
            kind: self.kind,
            about: self.about.clone(),
            done: self.done.load(Ordering::Relaxed),
            total,
            in_bytes: self.kind.counts_bytes(),
            news: self.news.load(Ordering::Relaxed),
            since_ms: self.since_ms,
            took_ms: end.map_or_else(|| SystemClock.now_ms(), |end| end.at_ms).saturating_sub(self.since_ms),
            cancellable: self.cancel.is_some() && end.is_none(),
            cancelling: self.cancel.as_ref().is_some_and(Cancel::is_cancelled),
            finished: end.is_some(),
            error: end.and_then(|end| end.error.clone()),
        }
    }
}
