//! Lines of `squeue`.

use crate::state::State;
use crate::words::clean;

/// Requested columns: job, task of the array, state, node, reason. All versions of `squeue` have
/// them.
pub(super) const FORMAT: &str = "%F|%K|%T|%N|%r";

/// A task of a Slurm job array (a worker), or a job that is not an array, which is waiting or
/// running.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Queued {
    pub(super) job: String,
    /// Number of the array task, which is that of the shard; `None` for a job that is not an array.
    pub(super) shard: Option<u32>,
    pub(super) state: State,
    pub(super) node: Option<String>,
    pub(super) reason: Option<String>,
}

impl Queued {
    /// Parses a line; `None` for a task that has ended and for any other text.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut columns = line.trim().splitn(5, '|');
        let mut next = || columns.next().map(clean);
        let (job, task, state) = (next()?, next()?, next()?);
        let non_empty = |word: Option<String>| word.filter(|word| !word.is_empty() && word != "None");
        let (node, reason) = (non_empty(next()), non_empty(next()));
        let needs_release = state == "REQUEUE_HOLD" || reason.as_deref().is_some_and(is_held);
        let state = match state.as_str() {
            // The task waits until a user releases it, for example after too many starts on nodes
            // that failed.
            _ if needs_release => State::Failed,
            "RUNNING" | "COMPLETING" | "STAGE_OUT" | "SIGNALING" | "STOPPED" => State::Running,
            "COMPLETED" | "CANCELLED" | "FAILED" | "TIMEOUT" | "NODE_FAIL" | "OUT_OF_MEMORY"
            | "BOOT_FAIL" | "DEADLINE" | "REVOKED" => return None,
            // All other states are some form of pending: requeued, suspended, preempted,
            // configuring.
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

/// Whether Slurm holds the job until a user releases it.
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
