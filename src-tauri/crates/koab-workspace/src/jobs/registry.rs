//! The jobs of a process.

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

/// Finished jobs that are still told, the newest.
pub(super) const KEPT: usize = 20;

/// What kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum JobKind {
    /// A run up to the end of its scoring, or a fork. About: the id under which it was asked for.
    /// Counts attempts, and has news whenever the queue of runs or what it tells of this one is
    /// other than before.
    Run,
    /// Scoring a run. About: the run. Counts judge answers.
    Evaluation,
    /// Asking judges about runs without scoring them. About: the runs. Counts judge answers.
    Judging,
    /// Taking in files of any kind. About: the first path, and how many more there are. Counts
    /// files.
    Import,
    /// Taking in a pack. About: its path. Counts files of cached responses.
    PackImport,
    /// Fetching a pack, or what is published of one. About: the repository or address. Counts
    /// bytes; stopped, it keeps what came of a hub.
    PackPull,
    /// Writing files for others. About: what is exported.
    Export,
    /// Deleting. About: what is deleted.
    Deletion,
    /// Making a GGUF file of a model. About: its name and the precision. Counts bytes.
    ModelConversion,
    /// Fetching a model. About: the repository. Counts bytes; stopped, it keeps what came.
    ModelPull,
    /// Comparing a model's files with their hashes. About: the model. Counts bytes.
    ModelCheck,
    /// Trying a model of this disk. About: its name. Counts its answers.
    ModelTrial,
    /// Asking the live APIs for what a run missed. About: the run. Counts calls.
    CacheFill,
    /// Comparing a bundle with itself. About: its file. Counts bytes.
    BundleCheck,
    /// A sweep. About: its id and its name. Counts attempts, and has news whenever a run of it
    /// begins or ends.
    Sweep,
    /// An adaptive run. About: its id and its model. Counts attempts of those that it is expected
    /// to take, and has news whenever a run of it begins or ends.
    Adaptive,
    /// A run of scenarios. About: its id. Counts trials, and tells whenever anything of it is to be
    /// asked for.
    ScenarioRun,
    /// Recording a server of tools. About: the pack. Has news whenever there is more of it to ask
    /// for; stopped, it keeps what it has.
    Recording,
}

impl JobKind {
    /// Whether what it counts are bytes.
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
            | Self::Recording => false,
        }
    }
}

/// Something under way, or over since a short while.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Job {
    /// Id, unique among all processes of a day.
    pub id: String,
    /// What kind.
    pub kind: JobKind,
    /// What it is about, as [`JobKind`] says; the UI puts it into a sentence.
    pub about: Vec<String>,
    /// Steps done.
    #[ts(type = "number")]
    pub done: u64,
    /// All steps; `null` as long as nobody knows.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
    /// Whether the steps are bytes.
    pub in_bytes: bool,
    /// How often there was something of it to ask for that is not told here.
    #[ts(type = "number")]
    pub news: u64,
    /// When it began, milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub since_ms: u64,
    /// How long it has taken, milliseconds.
    #[ts(type = "number")]
    pub took_ms: u64,
    /// Whether [`Workspace::job_cancel`] stops it.
    pub cancellable: bool,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// Whether it is over.
    pub finished: bool,
    /// Why it did not come to its end.
    pub error: Option<WireError>,
}

/// The jobs of this process, the oldest first.
#[derive(Default)]
pub struct Jobs {
    pub(super) all: Mutex<Vec<Arc<JobState>>>,
    pub(super) begun: AtomicU64,
    pub(super) changes: Arc<Changes>,
    /// Once nobody is told any more.
    pub(super) farewell: Cancel,
}

/// A job for whoever asks about it: that it is under way, how it ended, and stopping it. It stays
/// when the list of jobs forgets it.
pub struct JobState {
    pub(super) id: String,
    pub(super) kind: JobKind,
    pub(super) about: Vec<String>,
    pub(super) since_ms: u64,
    pub(super) cancel: Option<Cancel>,
    pub(super) done: AtomicU64,
    /// `u64::MAX` while nobody knows.
    pub(super) total: AtomicU64,
    pub(super) news: AtomicU64,
    pub(super) end: SetOnce<End>,
    /// The number of its last change.
    pub(super) changed: AtomicU64,
    pub(super) changes: Arc<Changes>,
}

pub(super) struct End {
    at_ms: u64,
    error: Option<WireError>,
}

/// Work under way, held by whoever does it. Dropped unfinished (its caller went away), it counts as
/// cancelled.
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
            let goes = over > KEPT && state.is_over();
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
    /// Its id, as [`Job::id`].
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// For whoever asks about it.
    pub fn state(&self) -> Arc<JobState> {
        Arc::clone(&self.0)
    }

    /// Tells how far the work is.
    pub fn progress(&self, done: u64, total: u64) {
        self.0.total.store(total, Ordering::Relaxed);
        // Steps may end on several threads: the count never goes back.
        self.0.done.fetch_max(done, Ordering::Relaxed);
        self.0.tell();
    }

    /// There is something of it to ask for that its count does not tell. Nothing once it is over.
    pub fn news(&self) {
        if !self.0.is_over() {
            self.0.news.fetch_add(1, Ordering::Relaxed);
            self.0.tell();
        }
    }

    /// Ends it as its work ended, and hands the result on.
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
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.end.get().is_some()
    }

    /// Waits until it is over.
    pub async fn over(&self) {
        self.end.wait().await;
    }

    /// Why it did not come to its end; nothing while it is under way.
    pub fn error(&self) -> Option<&WireError> {
        self.end.get()?.error.as_ref()
    }

    /// Asks it to stop, unless it is over or cannot be stopped; says whether it was asked.
    pub fn stop(&self) -> bool {
        let cancel = self.cancel.as_ref().filter(|_| !self.is_over());
        if let Some(cancel) = cancel {
            cancel.cancel();
            self.tell();
        }
        cancel.is_some()
    }

    /// The first end counts.
    fn finish(&self, error: Option<WireError>) {
        let at_ms = SystemClock.now_ms();
        if self.end.set(End { at_ms, error }).is_ok() {
            self.tell();
        }
    }

    /// It is not as it was told before.
    fn tell(&self) {
        self.changes.tell(&self.changed);
    }

    /// As it is now.
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
