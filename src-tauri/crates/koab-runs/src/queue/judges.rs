//! Judges of the current run of the queue, which can be changed until its scoring begins.

use super::state::{Current, Queue};
use crate::Runs;
use koab_core::say;
use koab_library::ScoreAfter;
use koab_library::live::LiveRun;
use koab_models::LocalSettings;
use koab_workspace::WireError;
use std::sync::{Arc, MutexGuard, PoisonError};

impl Runs {
    pub(super) fn queue(&self) -> MutexGuard<'_, Queue> {
        self.inner.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the scoring of the current run as begun. Its judges cannot be changed any more.
    /// Returns the settings for the scoring.
    pub(super) fn begin_scoring(&self) -> Option<ScoreAfter> {
        let mut queue = self.queue();
        let current = queue.current.as_mut()?;
        current.scoring = current.score.is_some();
        current.live.job.news();
        current.score.clone()
    }

    /// Replaces the judges of the current run, if its scoring has not begun. Returns the earlier
    /// settings.
    ///
    /// # Errors
    /// When the run is not scored by the queue, its scoring has begun, or a judge cannot be called.
    pub(crate) async fn set_judges(
        &self,
        live: &Arc<LiveRun>,
        judges: &[String],
        base_url: Option<&str>,
    ) -> Result<ScoreAfter, WireError> {
        let caps = self.scored_after(live, |current| Ok(current.caps))?;
        let local = LocalSettings::default();
        self.scoring.check_judges(judges, base_url, &local).await?;
        self.scoring.check_judge_caps(judges, &caps)?;
        let before = self.scored_after(live, |current| {
            let score = current.score.as_mut().ok_or_else(not_scored)?;
            let before = score.clone();
            (score.judges, score.judge_base_url) = (judges.to_vec(), base_url.map(str::to_owned));
            score.judge_local = None;
            Ok(before)
        })?;
        if let Some(id) = live.id.get() {
            self.scoring.remember_judges(id, judges, base_url, &local)?;
        }
        Ok(before)
    }

    /// Restores the judges of the current run, because the run did not take the change.
    pub(crate) fn restore_judges(&self, live: &Arc<LiveRun>, before: ScoreAfter) {
        // Fails only if the scoring has begun, which has taken its judges.
        let _ = self.scored_after(live, |current| {
            current.score = Some(before);
            Ok(())
        });
    }

    /// Calls `act` with the current run, if that is `live` and its scoring has not begun.
    fn scored_after<T>(
        &self,
        live: &Arc<LiveRun>,
        act: impl FnOnce(&mut Current) -> Result<T, WireError>,
    ) -> Result<T, WireError> {
        let mut queue = self.queue();
        let current = queue.current.as_mut().filter(|current| Arc::ptr_eq(&current.live, live));
        let current = current.filter(|current| current.score.is_some()).ok_or_else(not_scored)?;
        if current.scoring {
            return Err(WireError::bad_request(say!(
                "the scoring of the run has begun, so its judges cannot be changed; score it again with others"
            )));
        }
        act(current)
    }
}

/// Error for a run without a scoring whose judges could be changed.
fn not_scored() -> WireError {
    WireError::bad_request(say!(
        "the run is not scored by the queue after its end, so it has no judges to change; score it with others when it has ended"
    ))
}
