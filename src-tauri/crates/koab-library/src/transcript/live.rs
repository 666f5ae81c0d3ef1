//! An attempt that has not ended. The journal contains the steps until now.

use super::OpenRun;
use koab_core::protocol::Protocol;
use koab_core::run_record::{AttemptRecord, AttemptSummary, StopReason};
use koab_core::task::Task;
use koab_engine::seed::{AttemptProgress, so_far};
use koab_store::run_log::attempt_at;
use koab_workspace::WireError;

impl OpenRun {
    /// Returns the steps of an attempt that has not ended, as a record without an end. `None`
    /// before the first step.
    pub(super) fn attempt_so_far(
        &self,
        task: &Task,
        repetition: u32,
    ) -> Result<Option<AttemptRecord>, WireError> {
        let journal = self.entry.run.journal::<AttemptSummary>()?;
        let lines = journal.steps(&task.id, repetition);
        if lines.is_empty() {
            // The attempt may have ended a moment ago.
            let summary = journal.attempts.get(&task.id, repetition);
            let folder = &self.entry.run.folder;
            return Ok(summary.map(|summary| attempt_at(folder, summary.place())).transpose()?);
        }
        let steps: Vec<_> = lines.iter().map(|line| (line.content.clone(), line.calls.clone())).collect();
        let rules = self.protocol().unwrap_or(Protocol::Leaderboard).rules();
        let messages = so_far(&AttemptProgress {
            task,
            rules,
            full_rollout: self.spec().is_some_and(|spec| spec.settings.full_rollout),
            steps: &steps,
        });
        Ok(Some(AttemptRecord {
            task: task.id.clone(),
            level: task.level.clone(),
            repetition,
            success: false,
            stop: StopReason::Cancelled,
            error: None,
            took_s: 0.0,
            steps: lines.iter().map(|line| line.step.clone()).collect(),
            calls: steps.into_iter().flat_map(|(_, calls)| calls).collect(),
            final_response: None,
            messages,
            agent: None,
        }))
    }
}
