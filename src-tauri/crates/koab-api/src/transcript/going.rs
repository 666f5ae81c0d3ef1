//! An attempt that is still under way, as far as it has come: its steps stand in the journal one by one.

use super::Opened;
use crate::Api;
use crate::wire::WireError;
use koab_core::protocol::Protocol;
use koab_core::record::{AttemptRecord, CallRecord, StepRecord, StopReason};
use koab_core::task::Task;
use koab_engine::seed::{SoFar, so_far};
use serde::Deserialize;

/// A step in the journal.
#[derive(Deserialize)]
struct StepLine {
    task: String,
    repetition: u32,
    step: StepRecord,
    #[serde(default)]
    content: String,
    #[serde(default)]
    calls: Vec<CallRecord>,
}

impl Api {
    /// Whether this process is making the run and its attempt at a task is still to end.
    pub(super) fn is_under_way(&self, run: &str, task: &str, repetition: u32) -> bool {
        self.live_run(run)
            .is_some_and(|live| live.awaits(task, repetition))
    }

    /// The steps of an attempt that has not ended, as a record without an end; `None` while there is none.
    pub(super) fn attempt_so_far(
        &self,
        opened: &Opened,
        task: &Task,
        repetition: u32,
    ) -> Result<Option<AttemptRecord>, WireError> {
        let (mut steps, mut said) = (Vec::new(), Vec::new());
        for line in opened.entry.run.journal()?.entries {
            match line["type"].as_str() {
                // An earlier start of the run left off where nobody goes on.
                Some("run") => (steps, said) = (Vec::new(), Vec::new()),
                Some("step") if line["task"].as_str() == Some(&task.id) => {
                    if let Ok(line) = serde_json::from_value::<StepLine>(line)
                        && (&line.task, line.repetition) == (&task.id, repetition)
                    {
                        steps.push(line.step);
                        said.push((line.content, line.calls));
                    }
                }
                _ => {}
            }
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let rules = opened.protocol().unwrap_or(Protocol::Leaderboard).rules();
        let full_rollout = opened
            .of_manifest("/spec/full_rollout")
            .and_then(|full| full.as_bool());
        let messages = so_far(&SoFar {
            task,
            rules,
            full_rollout: full_rollout.unwrap_or_default(),
            steps: &said,
        });
        Ok(Some(AttemptRecord {
            task: task.id.clone(),
            level: task.level,
            repetition,
            success: false,
            stop: StopReason::Cancelled,
            error: None,
            took_s: 0.0,
            steps,
            calls: said.into_iter().flat_map(|(_, calls)| calls).collect(),
            final_response: None,
            messages,
        }))
    }
}
