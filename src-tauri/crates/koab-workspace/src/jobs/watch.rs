//! Changes of jobs, for whoever watches them: never more than a few lists a second, always the
//! newest state of each job, and never at the cost of the work. Nothing waits in a queue: who comes
//! late hears of a job as it is by then.

use super::registry::{Job, Jobs};
use koab_engine::ports::EventSink;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// The least time between two lists.
const PAUSE: Duration = Duration::from_millis(100);

/// The jobs that change, from when this was made.
pub struct JobWatch {
    jobs: Arc<Jobs>,
    count: watch::Receiver<u64>,
    told: u64,
    /// The earliest moment for the next list.
    next: Instant,
}

/// What a streaming command tells its news to. As an [`EventSink`] it hears a run.
pub trait Page: EventSink {
    /// Follows the jobs, at the pace at which it can hear of them, until it is gone.
    fn follow(&self, jobs: JobWatch);
}

impl JobWatch {
    pub(super) fn new(jobs: Arc<Jobs>) -> Self {
        let mut count = jobs.changes.0.subscribe();
        let told = *count.borrow_and_update();
        Self { jobs, count, told, next: Instant::now() }
    }

    /// Those that have changed since the last list, at least one; nothing once nobody is told any
    /// more. May be abandoned: the next call tells what this one would have.
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
            let told = self.told;
            let count = *self.count.wait_for(|count| *count > told).await.ok()?;
            let changed: Vec<Job> = self
                .jobs
                .all()
                .iter()
                .filter(|state| state.changed.load(Ordering::Relaxed) > told)
                .map(|state| state.view())
                .collect();
            self.told = count;
            // Nothing is left of it when so many jobs have ended since that this one is forgotten.
            if !changed.is_empty() {
                self.next = Instant::now() + PAUSE;
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

    /// The lists of jobs until nothing new comes for a while.
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
