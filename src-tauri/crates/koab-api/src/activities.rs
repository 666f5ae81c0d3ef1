//! What is under way beside runs: scoring with judges, imports, exports, deletions. Anything that may take over a second
//! begins an activity, so that every face can show how far it is and stop it, also after a reload.
//!
//! Activities live as long as the process. Runs are not among them: they have their own events (`hub.rs`).

use crate::Api;
use crate::clock::SystemClock;
use crate::wire::WireError;
use koab_engine::ports::{Cancel, Clock as _};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use ts_rs::TS;

/// Finished activities that are still told, the newest.
const KEPT: usize = 20;

/// What kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ActivityKind {
    /// Scoring a run. About: the run. Counts judge answers.
    Evaluation,
    /// Asking judges about runs without scoring them. About: the runs. Counts judge answers.
    Judging,
    /// Taking in files of any kind. About: the first path, and how many more there are. Counts files.
    Import,
    /// Taking in a pack. About: its path. Counts files of recorded responses.
    PackImport,
    /// Fetching a pack, or what is published of one. About: the repository or address. Counts bytes; stopped, it keeps what came of a
    /// hub.
    PackPull,
    /// Writing files for others. About: what is exported.
    Export,
    /// Deleting. About: what is deleted.
    Deletion,
    /// Making a GGUF file of a model. About: its name and the precision. Counts bytes.
    ModelConversion,
    /// Fetching a model. About: the repository. Counts bytes; stopped, it keeps what came.
    ModelPull,
    /// Holding a model's files against their hashes. About: the model. Counts bytes.
    ModelCheck,
    /// Trying a model of this disk. About: its name. Counts its answers.
    ModelTrial,
    /// Asking the real services for what a run missed. About: the run. Counts calls.
    CacheFill,
    /// Holding a bundle against itself. About: its file. Counts bytes.
    BundleCheck,
}

/// Something under way, or over since a short while.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Activity {
    /// Id, unique among all processes of a day.
    pub id: String,
    /// What kind.
    pub kind: ActivityKind,
    /// What it is about, as [`ActivityKind`] says; the UI puts it into a sentence.
    pub about: Vec<String>,
    /// Steps done.
    #[ts(type = "number")]
    pub done: u64,
    /// All steps; `null` as long as nobody knows.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
    /// When it began, milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub since_ms: u64,
    /// How long it has taken, milliseconds.
    #[ts(type = "number")]
    pub took_ms: u64,
    /// Whether [`Api::activity_cancel`] stops it.
    pub cancellable: bool,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// Whether it is over.
    pub finished: bool,
    /// Why it did not come to its end.
    pub error: Option<WireError>,
}

/// The activities of this process, the oldest first.
#[derive(Default)]
pub(crate) struct Activities {
    all: Mutex<Vec<Arc<State>>>,
    begun: AtomicU64,
}

struct State {
    id: String,
    kind: ActivityKind,
    about: Vec<String>,
    since_ms: u64,
    cancel: Option<Cancel>,
    done: AtomicU64,
    /// `u64::MAX` while nobody knows.
    total: AtomicU64,
    end: OnceLock<End>,
}

struct End {
    at_ms: u64,
    error: Option<WireError>,
}

/// Work under way, held by whoever does it. Dropped unfinished (its caller went away), it counts as cancelled.
pub(crate) struct Underway(Arc<State>);

impl Activities {
    pub(crate) fn begin(&self, kind: ActivityKind, about: Vec<String>, cancel: Option<&Cancel>) -> Underway {
        let since_ms = SystemClock.now_ms();
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let state = Arc::new(State {
            id: format!("{since_ms}-{number}"),
            kind,
            about,
            since_ms,
            cancel: cancel.cloned(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(u64::MAX),
            end: OnceLock::new(),
        });
        let mut all = self.all();
        all.push(Arc::clone(&state));
        let mut over = all.iter().filter(|state| state.end.get().is_some()).count();
        all.retain(|state| {
            let goes = over > KEPT && state.end.get().is_some();
            over -= usize::from(goes);
            !goes
        });
        Underway(state)
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<State>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Underway {
    pub(crate) fn id(&self) -> &str {
        &self.0.id
    }

    /// Tells how far the work is.
    pub(crate) fn progress(&self, done: u64, total: u64) {
        self.0.total.store(total, Ordering::Relaxed);
        // Steps may end on several threads: the count never goes back.
        self.0.done.fetch_max(done, Ordering::Relaxed);
    }

    /// Ends it as its work ended, and hands the result on.
    pub(crate) fn finish<T>(self, result: Result<T, WireError>) -> Result<T, WireError> {
        self.0.finish(result.as_ref().err().cloned());
        result
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let gone = WireError::new(crate::wire::ErrorCode::Cancelled, "stopped before it was done");
        self.0.finish(Some(gone));
    }
}

impl State {
    /// The first end counts.
    fn finish(&self, error: Option<WireError>) {
        let at_ms = SystemClock.now_ms();
        let _ = self.end.set(End { at_ms, error });
    }

    fn told(&self) -> Activity {
        let end = self.end.get();
        let total = Some(self.total.load(Ordering::Relaxed)).filter(|total| *total != u64::MAX);
        Activity {
            id: self.id.clone(),
            kind: self.kind,
            about: self.about.clone(),
            done: self.done.load(Ordering::Relaxed),
            total,
            since_ms: self.since_ms,
            took_ms: end
                .map_or_else(|| SystemClock.now_ms(), |end| end.at_ms)
                .saturating_sub(self.since_ms),
            cancellable: self.cancel.is_some() && end.is_none(),
            cancelling: self.cancel.as_ref().is_some_and(Cancel::is_cancelled),
            finished: end.is_some(),
            error: end.and_then(|end| end.error.clone()),
        }
    }
}

impl Api {
    /// What is under way, and the last that are over, the oldest first.
    ///
    /// # Errors
    /// None today; the window handles it like every command.
    pub fn activities_list(&self) -> Result<Vec<Activity>, WireError> {
        Ok(self
            .inner
            .activities
            .all()
            .iter()
            .map(|state| state.told())
            .collect())
    }

    /// Asks an activity to stop; it ends soon after, and what it says then is how far it came. One that is over stays
    /// as it is.
    ///
    /// # Errors
    /// When there is no such activity, or it cannot be stopped.
    pub fn activity_cancel(&self, id: &str) -> Result<(), WireError> {
        let all = self.inner.activities.all();
        let state = all
            .iter()
            .find(|state| state.id == id)
            .ok_or_else(|| WireError::not_found(format!("nothing with the id {id} is under way")))?;
        match &state.cancel {
            Some(cancel) => cancel.cancel(),
            None => {
                return Err(WireError::bad_request(
                    "this cannot be stopped; it ends by itself",
                ));
            }
        }
        Ok(())
    }

    /// Whether something of this kind is under way about this.
    pub(crate) fn has_activity(&self, kind: ActivityKind, about: &str) -> bool {
        let all = self.inner.activities.all();
        all.iter()
            .any(|state| state.kind == kind && state.end.get().is_none() && state.about == [about])
    }

    /// Stops all of this kind that are about this; says whether there was one.
    pub(crate) fn cancel_activities(&self, kind: ActivityKind, about: &str) -> bool {
        let all = self.inner.activities.all();
        let mut was_one = false;
        for state in all
            .iter()
            .filter(|state| state.kind == kind && state.about == [about])
        {
            if let Some(cancel) = state.cancel.as_ref().filter(|_| state.end.get().is_none()) {
                cancel.cancel();
                was_one = true;
            }
        }
        was_one
    }

    /// Begins an activity; `cancel` is what [`Api::activity_cancel`] triggers, if it can be stopped.
    pub(crate) fn begin_activity(
        &self,
        kind: ActivityKind,
        about: Vec<String>,
        cancel: Option<&Cancel>,
    ) -> Underway {
        self.inner.activities.begin(kind, about, cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ErrorCode;

    fn api(folder: &tempfile::TempDir) -> Api {
        Api::open(Some(folder.path().to_owned())).unwrap()
    }

    fn only(api: &Api) -> Activity {
        let [activity] = &api.activities_list().unwrap()[..] else {
            panic!("one activity")
        };
        activity.clone()
    }

    #[test]
    fn work_under_way_is_told_until_it_is_over_and_then_how_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        let underway = api.begin_activity(ActivityKind::Import, vec!["a.zip".into()], None);
        let begun = only(&api);
        assert_eq!((begun.done, begun.total, begun.finished), (0, None, false));
        underway.progress(3, 10);
        underway.progress(2, 10);
        assert_eq!((only(&api).done, only(&api).total), (3, Some(10)));
        let refused = underway.finish::<()>(Err(WireError::not_found("no such file")));
        assert_eq!(refused.unwrap_err().message, "no such file");
        let over = only(&api);
        assert!(over.finished);
        assert_eq!(over.error.unwrap().message, "no such file");
    }

    #[test]
    fn only_what_can_be_stopped_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        let fixed = api.begin_activity(ActivityKind::Deletion, vec![], None);
        assert_eq!(
            api.activity_cancel(fixed.id()).unwrap_err().code,
            ErrorCode::BadRequest
        );
        assert_eq!(api.activity_cancel("none").unwrap_err().code, ErrorCode::NotFound);
        let cancel = Cancel::new();
        let underway = api.begin_activity(ActivityKind::Evaluation, vec![], Some(&cancel));
        api.activity_cancel(underway.id()).unwrap();
        assert!(cancel.is_cancelled());
        let told = api.activities_list().unwrap();
        assert!(told[1].cancelling && !told[1].finished);
    }

    #[test]
    fn work_whose_caller_went_away_does_not_stay_under_way() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        drop(api.begin_activity(ActivityKind::Export, vec![], None));
        assert_eq!(only(&api).error.unwrap().code, ErrorCode::Cancelled);
    }

    #[test]
    fn old_ends_are_forgotten_and_what_is_under_way_never_is() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        let lasting = api.begin_activity(ActivityKind::Import, vec![], None);
        for _ in 0..50 {
            let _ = api
                .begin_activity(ActivityKind::Export, vec![], None)
                .finish(Ok(()));
        }
        let told = api.activities_list().unwrap();
        assert_eq!(told[0].id, lasting.id());
        assert_eq!(told.len(), 1 + KEPT + 1);
    }
}
