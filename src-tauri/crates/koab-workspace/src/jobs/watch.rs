//! Stream of the changes of jobs: a few lists per second at most, with the newest state of each
//! job, without slowing the work. Nothing is queued: a late reader gets the state at that moment.

use super::registry::{Job, Jobs};
use koab_engine::ports::EventSink;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Minimum time between two lists.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// Stream of the changes of jobs, from the creation of this value on.
pub struct JobWatch {
    jobs: Arc<Jobs>,
    count: watch::Receiver<u64>,
    seen: u64,
    /// Earliest time of the next list.
    next: Instant,
}

/// Receiver of the updates of a streaming command. An [`EventSink`] receives the events of a run;
/// `follow` adds changes of jobs.
pub trait Page: EventSink {
    /// Starts to receive the changes of jobs. The receiver takes them from `jobs` at its own pace.
    fn follow(&self, jobs: JobWatch);
}

impl JobWatch {
    pub(super) fn new(jobs: Arc<Jobs>) -> Self {
        let mut count = jobs.changes.0.subscribe();
        let current = *count.borrow_and_update();
        Self { jobs, count, seen: current, next: Instant::now() }
    }

    /// Waits for the jobs that have changed since the last list, at least one. Returns `None` once
    /// changes are no longer reported. The future may be dropped: the next call returns the same
    /// changes.
    pub async fn next(&mut self) -> Option<Vec<Job>> {
        let jobs = Arc::clone(&self.jobs);
        tokio::select! {
            biased;
            () = jobs.farewell.cancelled() => None,
            changed = self.changed() => changed,
        }
    }

    async fn changed(&mut self) -> Option<Vec<Job>> {
        loop {
            sleep_until(self.next).await;
            let last_seen = self.seen;
            let count = *self.count.wait_for(|count| *count > last_seen).await.ok()?;
            let changed: Vec<Job> = self
                .jobs
                .all()
                .iter()
                .filter(|state| state.changed.load(Ordering::Relaxed) > last_seen)
                .map(|state| state.view())
                .collect();
            self.seen = count;
            // The list is empty when the changed job has finished and was dropped from the
            // registry.
            if !changed.is_empty() {
                self.next = Instant::now() + MIN_INTERVAL;
                return Some(changed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Workspace;
    use crate::batches::{Batch, batches};
    use crate::jobs::{Job, JobKind};

    /// Lists of jobs that arrive until none has arrived for 400 ms.
    async fn heard(watched: &mut crate::batches::Batches) -> Vec<Vec<Job>> {
        let mut lists = Vec::new();
        while let Ok(Some(Batch::Jobs(jobs))) =
            tokio::time::timeout(std::time::Duration::from_millis(400), watched.next()).await
        {
            lists.push(jobs);
        }
        lists
    }

    #[tokio::test]
    async fn whoever_watches_hears_of_what_changes_in_few_lists_and_of_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let api = Workspace::open(Some(folder.path().to_owned())).unwrap();
        let before = api.begin_job(JobKind::Deletion, vec![], None);
        let (page, mut watched) = batches();
        assert_eq!(api.jobs_subscribe(&page).unwrap().len(), 1);
        drop(page);
        let underway = api.begin_job(JobKind::Import, vec!["a.zip".into()], None);
        for done in 0..10_000 {
            underway.progress(done, 10_000);
        }
        let lists = heard(&mut watched).await;
        assert!(lists.len() < 5, "{} lists", lists.len());
        let last = &lists.last().unwrap()[0];
        assert_eq!((last.done, last.finished, lists.concat().len()), (9_999, false, lists.len()));
        let _ = underway.finish(Ok(()));
        let [list] = &heard(&mut watched).await[..] else { panic!("one list") };
        assert!(list[0].finished && list.len() == 1, "{list:?}");
        drop(before);
        assert_eq!(heard(&mut watched).await.len(), 1);
    }
}
