//! Words of the ends of attempts in the index.

use crate::wire::TaskStatus;

/// Statuses of attempts in the index. Waiting tasks have no attempt.
const ENDED: [TaskStatus; 3] = [TaskStatus::Answered, TaskStatus::Unanswered, TaskStatus::Failed];

/// Word of a status in the index and in queries.
pub(super) fn word_of(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Answered => "answered",
        TaskStatus::Unanswered => "unanswered",
        TaskStatus::Failed => "failed",
        TaskStatus::Waiting => "waiting",
        TaskStatus::Unreadable => "unreadable",
    }
}

/// Status with this word.
pub(super) fn status_of(word: &str) -> TaskStatus {
    ENDED.into_iter().find(|status| word_of(*status) == word).unwrap_or(TaskStatus::Unreadable)
}
