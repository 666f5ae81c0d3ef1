//! Lines of `squeue`.

use crate::state::State;
use crate::words::clean;

/// The columns that are asked for: job, task of the array, state, node, reason. They are the same
/// in all versions.
pub(super) const FORM: &str = "%F|%K|%T|%N|%r";

/// A task that waits or works.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Queued {
    pub(super) job: String,
    /// Its number in the array; `None` for a job that is none.
    pub(super) shard: Option<u32>,
    pub(super) state: State,
    pub(super) node: Option<String>,
    pub(super) reason: Option<String>,
}

impl Queued {
    /// Reads a line; `None` for what has ended, and for what is no such line.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut columns = line.trim().splitn(5, '|');
        let mut next = || columns.next().map(clean);
        let (job, task, state) = (next()?, next()?, next()?);
        let told = |word: Option<String>| word.filter(|word| !word.is_empty() && word != "None");
        let (node, reason) = (told(next()), told(next()));
        let held = state == "REQUEUE_HOLD" || reason.as_deref().is_some_and(is_held);
        let state = match state.as_str() {
            // It stays so until somebody releases it: as after too many starts on nodes that
            // failed.
            _ if held => State::Failed,
            "RUNNING" | "COMPLETING" | "STAGE_OUT" | "SIGNALING" | "STOPPED" => State::Running,
            "COMPLETED" | "CANCELLED" | "FAILED" | "TIMEOUT" | "NODE_FAIL" | "OUT_OF_MEMORY"
            | "BOOT_FAIL" | "DEADLINE" | "REVOKED" => return None,
            // Pending in one way or another: requeued, held, suspended, preempted, its node is
            // being made ready.
            _ => State::Waiting,
        };
        Some(Self {
            job,
            shard: task.parse().ok(),
            state,
            node,
            reason: reason.filter(|_| state != State::Running),
        })
    }
}

/// Whether Slurm waits for somebody to release a job.
fn is_held(reason: &str) -> bool {
    reason.starts_with("JobHeld") || reason.starts_with("JobHold") || reason.ends_with("held")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_queue_say_which_shard_stands_how() {
        let row = |state, node: &str, reason: &str| Queued {
            job: "12".to_owned(),
            shard: Some(3),
            state,
            node: Some(node.to_owned()).filter(|node| !node.is_empty()),
            reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()),
        };
        for (line, expected) in [
            ("12|3|RUNNING|n2|None", Some(row(State::Running, "n2", ""))),
            ("12|3|COMPLETING|n2|NodeDown", Some(row(State::Running, "n2", ""))),
            ("12|3|PENDING||JobArrayTaskLimit", Some(row(State::Waiting, "", "JobArrayTaskLimit"))),
            ("12|3|REQUEUED||BeginTime", Some(row(State::Waiting, "", "BeginTime"))),
            ("12|3|PENDING||a|b\u{1b}[2J", Some(row(State::Waiting, "", "a|b [2J"))),
            ("12|3|REQUEUE_HOLD||JobHoldMaxRequeue", Some(row(State::Failed, "", "JobHoldMaxRequeue"))),
            (
                "12|3|PENDING||launch failed requeued held",
                Some(row(State::Failed, "", "launch failed requeued held")),
            ),
            ("12|3|NODE_FAIL|n1|None", None),
            ("slurm_load_jobs error", None),
        ] {
            assert_eq!(Queued::read(line), expected, "{line}");
        }
        assert_eq!(Queued::read("12|N/A|PENDING||Dependency").and_then(|row| row.shard), None);
    }
}
