//! Requests between processes to change a run, through files in the run's folder.

use crate::Runs;
use koab_cluster::Submission;
use koab_core::event::RunOutcome;
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_core::say;
use koab_core::sentence::ToSentence as _;
use koab_engine::ports::Cancel;
use koab_library::live::LiveRun;
use koab_store::RunLock;
use koab_store::change_requests::{self, ChangeAnswer};
use koab_workspace::{WireError, blocking};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval at which a run looks for requests.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// Interval at which a process looks for the answer to its request.
const ANSWER_INTERVAL: Duration = Duration::from_millis(100);
/// Time that a request waits for its answer. Opening a model at another address may take some time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

impl Runs {
    /// Asks the process that makes a run to change it, and waits for the answer.
    pub(super) async fn change_elsewhere(
        &self,
        run: &str,
        changes: &[RunChange],
    ) -> Result<Vec<ChangeRecord>, WireError> {
        let entry = self.library.run_meant(run)?;
        let (id, folder) = (&entry.id, entry.run.folder.clone());
        let submission = Submission::read(&folder)?;
        let is_complete = || {
            let manifest = entry.run.manifest().ok().flatten();
            manifest.is_some_and(|manifest| manifest.outcome == Some(RunOutcome::Completed))
        };
        if submission.is_some_and(|submission| submission.cancelled_ms.is_none()) && !is_complete() {
            return Err(WireError::busy(say!(
                "workers on a cluster make the run {id}, which cannot be changed meanwhile; end them first with `koab runs cancel {id}`"
            )));
        }
        if RunLock::holder(&folder).is_none() {
            return Err(WireError::not_found(say!(
                "no process is making the run {id}, so nothing of it can be changed; `koab run --resume {id}` continues it and makes failed attempts again, with other settings if they are given"
            )));
        }
        let request = format!("{:032x}", fastrand::u128(..));
        let (place, name, changes) = (folder.clone(), request.clone(), changes.to_vec());
        blocking(move || Ok(change_requests::ask(&place, &name, &changes)?)).await?;
        let answer = answer_to(&folder, &request).await;
        let forgotten = blocking(move || Ok(change_requests::forget(&folder, &request)?)).await;
        match answer? {
            Some(ChangeAnswer::Made(records)) => forgotten.map(|()| records),
            Some(ChangeAnswer::Refused(why)) => Err(WireError::bad_request(why)),
            None => Err(WireError::busy(say!(
                "the process that makes the run {id} does not answer; `koab runs show {id}` shows whether it made the change"
            ))),
        }
    }

    /// Answers the requests of other processes until `end` is triggered.
    pub(in crate::runs) async fn answer_requests(self, live: Arc<LiveRun>, folder: PathBuf, end: Cancel) {
        let place = folder.clone();
        let _ = blocking(move || Ok(change_requests::tidy(&place)?)).await;
        let mut is_first = true;
        loop {
            let is_last = end.is_cancelled();
            let place = folder.clone();
            // An unreadable folder is no reason to end the run. The request gets no answer.
            let pending = blocking(move || Ok(change_requests::pending(&place)?)).await.unwrap_or_default();
            for (id, request) in pending {
                let answer = match request {
                    // It may have been asked of an earlier start.
                    Ok(_) if is_first => {
                        ChangeAnswer::Refused(say!("the run was only just beginning; ask again"))
                    }
                    Ok(request) => match self.change_here(&live, request.changes).await {
                        Ok(records) => ChangeAnswer::Made(records),
                        Err(error) => ChangeAnswer::Refused(error.message),
                    },
                    Err(error) => ChangeAnswer::Refused(error.to_sentence()),
                };
                let place = folder.clone();
                let _ = blocking(move || Ok(change_requests::answer(&place, &id, &answer)?)).await;
            }
            if is_last {
                return;
            }
            is_first = false;
            tokio::select! {
                () = tokio::time::sleep(LOOK_INTERVAL) => {}
                () = end.cancelled() => {}
            }
        }
    }
}

async fn answer_to(folder: &Path, request: &str) -> Result<Option<ChangeAnswer>, WireError> {
    let start = Instant::now();
    while start.elapsed() < ANSWER_TIMEOUT {
        let (place, name) = (folder.to_owned(), request.to_owned());
        let (answer, is_held) = blocking(move || {
            let is_held = RunLock::holder(&place).is_some();
            Ok((change_requests::answered(&place, &name)?, is_held))
        })
        .await?;
        if answer.is_some() || !is_held {
            return Ok(answer);
        }
        tokio::time::sleep(ANSWER_INTERVAL).await;
    }
    Ok(None)
}
