//! Queues of questions for blind review: a person answers them without seeing the judges' answers.
//!
//! The caller defines the content of a queue. This module ensures that the answers no longer change
//! once the judges' answers have been revealed.

use crate::db::Store;
use crate::error::Result;
use crate::table::judge_queue;
pub use crate::table::judge_queue::{QueueAnswer, StoredQueue};
use serde_json::Value;

impl Store {
    /// Stores a queue. An existing queue with the same id stays unchanged. Returns whether the
    /// queue is new.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn keep_queue(&self, id: &str, document: &Value) -> Result<bool> {
        judge_queue::put(&self.lock(), id, &document.to_string())
    }

    /// Reads a queue by its id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn queue(&self, id: &str) -> Result<Option<StoredQueue>> {
        judge_queue::get(&self.lock(), id)
    }

    /// All queues, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn queues(&self) -> Result<Vec<StoredQueue>> {
        judge_queue::all(&self.lock())
    }

    /// Stores an answer, replacing an earlier one. Does nothing unless the queue exists and is
    /// still blind. Returns whether the answer was stored.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn answer_queue(&self, id: &str, number: u32, answer: &Value) -> Result<bool> {
        judge_queue::answer(&self.lock(), id, number, &answer.to_string())
    }

    /// Removes an answer from a queue that is still blind. Returns whether there was one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn unanswer_queue(&self, id: &str, number: u32) -> Result<bool> {
        judge_queue::unanswer(&self.lock(), id, number)
    }

    /// Answers of a queue, in the queue's order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn queue_answers(&self, id: &str) -> Result<Vec<QueueAnswer>> {
        judge_queue::answers(&self.lock(), id)
    }

    /// Ends the blind review of a queue permanently.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn reveal_queue(&self, id: &str) -> Result<()> {
        judge_queue::reveal(&self.lock(), id)
    }

    /// Records that `by` has turned a queue's answers into overrides, with the time.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn queue_applied(&self, id: &str, by: &str) -> Result<()> {
        judge_queue::applied(&self.lock(), id, by)
    }

    /// Deletes a queue with its answers. Returns whether it existed.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn remove_queue(&self, id: &str) -> Result<bool> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let existed = judge_queue::remove(&transaction, id)?;
        transaction.commit()?;
        Ok(existed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_change_while_the_queue_is_blind_and_not_after() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
        assert!(!store.answer_queue("q", 1, &json!(true)).expect("asked"), "there is no queue");
        assert!(store.keep_queue("q", &json!({"k": 1})).expect("kept"));
        assert!(!store.keep_queue("q", &json!({"k": 2})).expect("asked"), "the first stays");
        assert!(store.answer_queue("q", 1, &json!(true)).expect("kept"));
        assert!(store.answer_queue("q", 1, &json!(false)).expect("changed"));
        assert!(store.answer_queue("q", 2, &json!(3)).expect("kept"));
        assert!(store.unanswer_queue("q", 2).expect("taken back"));
        let said: Vec<Value> =
            store.queue_answers("q").expect("read").into_iter().map(|one| one.answer).collect();
        assert_eq!(said, [json!(false)]);
        store.reveal_queue("q").expect("revealed");
        assert!(!store.answer_queue("q", 2, &json!(3)).expect("asked"), "not blind any more");
        assert!(!store.unanswer_queue("q", 1).expect("asked"));
        store.queue_applied("q", "Mina").expect("kept");
        let queue = store.queue("q").expect("read").expect("there");
        assert_eq!(queue.document, json!({"k": 1}));
        assert!(queue.revealed_at.is_some() && queue.applied_by.as_deref() == Some("Mina"));
        assert!(store.remove_queue("q").expect("removed"));
        assert!(
            store.queues().expect("read").is_empty() && store.queue_answers("q").expect("read").is_empty()
        );
    }
}
