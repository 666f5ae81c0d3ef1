//! Jobs of a process: runs, scoring with judges, imports, downloads, trials, exports, deletions.
//!
//! Work that may take more than a second is a job, so that every user interface can show its
//! progress and stop it, even after a reload. Observers get every change ([`watch`]).
//!
//! The registry exists as long as the process.

mod changes;
mod registry;
mod watch;

pub use registry::{Job, JobKind, JobState, Jobs, Underway};
pub use watch::{JobWatch, Page};

use crate::Workspace;
use crate::error::WireError;
use koab_core::say;
use koab_engine::ports::Cancel;
use std::sync::Arc;

impl Workspace {
    /// Jobs in progress, and the last finished ones, oldest first.
    pub fn jobs(&self) -> Vec<Job> {
        self.inner.jobs.all().iter().map(|state| state.view()).collect()
    }

    /// Returns all jobs like [`Self::jobs`], and reports changes to the page from then on.
    ///
    /// # Errors
    /// This does not fail today. It returns a `Result` because every command of the window does.
    pub fn jobs_subscribe(&self, page: &dyn Page) -> Result<Vec<Job>, WireError> {
        // Followed before the list is made: a change in between is reported twice rather than
        // never.
        page.follow(self.job_watch());
        Ok(self.jobs())
    }

    /// Watches the changes of jobs from now on.
    pub fn job_watch(&self) -> JobWatch {
        JobWatch::new(Arc::clone(&self.inner.jobs))
    }

    /// Ends the reporting of changes, before the process ends.
    pub fn jobs_farewell(&self) {
        self.inner.jobs.farewell.cancel();
    }

    /// Asks a job to stop. It ends soon afterwards, with its progress so far. A finished job is
    /// unchanged.
    ///
    /// # Errors
    /// When there is no such job, or it cannot be stopped.
    pub fn job_cancel(&self, id: &str) -> Result<(), WireError> {
        let all = self.inner.jobs.all();
        let state = all
            .iter()
            .find(|state| state.id == id)
            .ok_or_else(|| WireError::not_found(say!("nothing with the id {id} is under way")))?;
        if state.cancel.is_none() {
            return Err(WireError::bad_request(say!("this job cannot be stopped; it ends by itself")));
        }
        state.stop();
        Ok(())
    }

    /// Whether a job of this kind with this subject is in progress.
    pub fn has_job(&self, kind: JobKind, about: &str) -> bool {
        let all = self.inner.jobs.all();
        all.iter().any(|state| state.kind == kind && !state.is_over() && state.about == [about])
    }

    /// Whether a job of this kind is in progress.
    pub fn has_jobs(&self, kind: JobKind) -> bool {
        let all = self.inner.jobs.all();
        all.iter().any(|state| state.kind == kind && !state.is_over())
    }

    /// Stops all jobs of this kind.
    pub fn cancel_kind(&self, kind: JobKind) {
        let all = self.inner.jobs.all();
        for state in all.iter().filter(|state| state.kind == kind) {
            state.stop();
        }
    }

    /// Stops all jobs of this kind with this subject. Returns whether there was one.
    pub fn cancel_jobs(&self, kind: JobKind, about: &str) -> bool {
        let all = self.inner.jobs.all();
        let these = all.iter().filter(|state| state.kind == kind && state.about == [about]);
        these.filter(|state| state.stop()).count() > 0
    }

    /// Begins a job. [`Workspace::job_cancel`] triggers `cancel`, if the job can be stopped.
    pub fn begin_job(&self, kind: JobKind, about: Vec<String>, cancel: Option<&Cancel>) -> Underway {
        self.inner.jobs.begin(kind, about, cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;
    use crate::jobs::registry::MAX_FINISHED;

    fn api(folder: &tempfile::TempDir) -> Workspace {
        Workspace::open(Some(folder.path().to_owned())).unwrap()
    }

    fn only(api: &Workspace) -> Job {
        let [job] = &api.jobs()[..] else { panic!("one job") };
        job.clone()
    }

    #[test]
    fn work_under_way_is_told_until_it_is_over_and_then_how_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        let underway = api.begin_job(JobKind::Import, vec!["a.zip".into()], None);
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
        let fixed = api.begin_job(JobKind::Deletion, vec![], None);
        assert_eq!(api.job_cancel(fixed.id()).unwrap_err().code, ErrorCode::BadRequest);
        assert_eq!(api.job_cancel("none").unwrap_err().code, ErrorCode::NotFound);
        let cancel = Cancel::new();
        let underway = api.begin_job(JobKind::Evaluation, vec![], Some(&cancel));
        api.job_cancel(underway.id()).unwrap();
        assert!(cancel.is_cancelled());
        let told = api.jobs();
        assert!(told[1].cancelling && !told[1].finished);
    }

    #[test]
    fn work_whose_caller_went_away_does_not_stay_under_way() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        drop(api.begin_job(JobKind::Export, vec![], None));
        assert_eq!(only(&api).error.unwrap().code, ErrorCode::Cancelled);
    }

    #[test]
    fn old_ends_are_forgotten_and_what_is_under_way_never_is() {
        let folder = tempfile::tempdir().unwrap();
        let api = api(&folder);
        let lasting = api.begin_job(JobKind::Import, vec![], None);
        for _ in 0..50 {
            let _ = api.begin_job(JobKind::Export, vec![], None).finish(Ok(()));
        }
        let told = api.jobs();
        assert_eq!(told[0].id, lasting.id());
        assert_eq!(told.len(), 1 + MAX_FINISHED + 1);
    }
}
