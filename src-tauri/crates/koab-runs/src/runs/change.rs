//! Changes a run while it is being made: in this process, or by a request to the process that makes
//! the run.

mod here;
mod requests;

use crate::Runs;
use koab_core::run_record::{ChangeRecord, RetriedAttempt, RunChange};
use koab_workspace::WireError;

impl Runs {
    /// Changes a running run: all changes are made, or none. Returns the changes with the earlier
    /// values. Attempts in flight keep their limits, and their next calls use a new address.
    ///
    /// # Errors
    /// When the run is not being made, or a change is not possible.
    pub async fn run_change(
        &self,
        run: &str,
        changes: Vec<RunChange>,
    ) -> Result<Vec<ChangeRecord>, WireError> {
        match self.library.live_run(run) {
            Some(live) if !live.finished() => self.change_here(&live, changes).await,
            // Another process may continue a run that has ended here.
            Some(live) => self.change_elsewhere(live.id.get().map_or(run, String::as_str), &changes).await,
            None => self.change_elsewhere(run, &changes).await,
        }
    }

    /// Makes attempts of a running run again that failed for technical reasons. `attempts` without
    /// an entry means all of them.
    ///
    /// # Errors
    /// When the run is not being made, or an attempt has not failed.
    pub async fn run_retry(
        &self,
        run: &str,
        attempts: Vec<RetriedAttempt>,
    ) -> Result<Vec<ChangeRecord>, WireError> {
        self.run_change(run, vec![RunChange::Retry { attempts }]).await
    }
}

#[cfg(test)]
mod tests;
