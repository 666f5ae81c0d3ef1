//! What people said instead of judges, beside the verdicts and never in their place.
//!
//! An override answers a question, wherever that is asked: a run that gives the same answer again has the same question
//! and keeps it. The newest for a question and judge holds; earlier ones stay, ended.

use crate::db::Store;
use crate::error::Result;
use crate::table::verdict_override;
use serde_json::Value;

/// Something to say.
#[derive(Clone, Copy, Debug)]
pub struct NewOverride<'a> {
    /// Hash of the question.
    pub question_hash: &'a str,
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<&'a str>,
    /// Run, task and metric where it is said.
    pub run: &'a str,
    /// The task.
    pub task: &'a str,
    /// The metric.
    pub metric: &'a str,
    /// The answer, which is the caller's to read.
    pub answer: &'a Value,
    /// Who says so.
    pub by: &'a str,
    /// Why.
    pub why: &'a str,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Its number.
    pub id: i64,
    /// Hash of the question.
    pub question_hash: String,
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<String>,
    /// Run where it was said.
    pub run: String,
    /// The task.
    pub task: String,
    /// The metric.
    pub metric: String,
    /// The answer; null when it is damaged.
    pub answer: Value,
    /// Who said so.
    pub by: String,
    /// Why.
    pub why: String,
    /// When, UTC, ISO 8601.
    pub at: String,
    /// Who ended it; null while it holds.
    pub ended_by: Option<String>,
    /// When it was ended.
    pub ended_at: Option<String>,
}

impl Override {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.ended_at.is_none()
    }
}

impl Store {
    /// Keeps overrides, all or none. Each takes the place of the one that held for its question and judge.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn override_verdicts(&self, new: &[NewOverride<'_>]) -> Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for one in new {
            verdict_override::add(&transaction, one)?;
        }
        Ok(transaction.commit()?)
    }

    /// Ends an override. Returns whether it held until now.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn end_override(&self, id: i64, by: &str) -> Result<bool> {
        verdict_override::end(&self.lock(), id, by)
    }

    /// Every override ever made, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn overrides(&self) -> Result<Vec<Override>> {
        verdict_override::all(&self.lock())
    }
}
