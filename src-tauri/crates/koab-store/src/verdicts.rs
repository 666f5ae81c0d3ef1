//! Verdicts by question, judge and prompt version.
//!
//! The caller defines the form of an answer: the store keeps the JSON unchanged and does no
//! arithmetic. A judge that failed has no answer. Its last failure is stored for display until it
//! answers.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::table;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::Value;

/// Key of a stored answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictKey<'a> {
    /// Hash of the whole question, as the judge sees it.
    pub question_hash: &'a str,
    /// Model id of the judge.
    pub judge: &'a str,
    /// Version of the prompts, such as their hash.
    pub prompt_version: &'a str,
}

impl VerdictKey<'_> {
    fn parts(&self) -> [&str; 3] {
        [self.question_hash, self.judge, self.prompt_version]
    }
}

/// Stored result of a judge for a key.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredAnswer {
    /// Answer of the judge as JSON.
    Answer(Value),
    /// A value that is no longer valid JSON.
    Damaged,
    /// No answer, with the reason of the last failure.
    Failure(Sentence),
}

/// One stored result for a question.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictRow {
    /// Model id of the judge.
    pub judge: String,
    /// Version of the prompts, as in [`VerdictKey`].
    pub prompt_version: String,
    /// Answer or failure.
    pub kept: StoredAnswer,
    /// Time of the result, UTC, ISO 8601.
    pub at: String,
}

impl VerdictRow {
    /// Parts of the version: the hash of prompts and server, and the number of the vote from 0.
    pub fn version(&self) -> (&str, usize) {
        let (mark, vote) = self.prompt_version.rsplit_once('#').unwrap_or((&self.prompt_version, "0"));
        (mark, vote.parse().unwrap_or(0))
    }
}

impl Store {
    /// Answer stored under `key`, if there is one.
    ///
    /// # Errors
    /// [`Error::BadFile`] when the answer is damaged; another error when the database cannot be
    /// read.
    pub fn verdict(&self, key: VerdictKey<'_>) -> Result<Option<Value>> {
        let Some(text) = table::verdict::get(&self.lock(), key.parts())? else {
            return Ok(None);
        };
        let damaged =
            |error: serde_json::Error| Error::BadFile(say!("a verdict in koab.sqlite is not JSON: {error}"));
        serde_json::from_str(&text).map(Some).map_err(damaged)
    }

    /// Stores an answer. An existing one stays. Returns whether the answer is new.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn keep_verdict(&self, key: VerdictKey<'_>, answer: &Value) -> Result<bool> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let is_new = table::verdict::put(&transaction, key.parts(), &answer.to_string())?;
        table::verdict_failure::remove(&transaction, key.parts())?;
        transaction.commit()?;
        Ok(is_new)
    }

    /// Replaces an answer that cannot be read. Not to be used for a readable one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn mend_verdict(&self, key: VerdictKey<'_>, answer: &Value) -> Result<()> {
        table::verdict::replace(&self.lock(), key.parts(), &answer.to_string())
    }

    /// Stores the reason why a judge gave no answer, replacing its last failure.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn keep_verdict_failure(&self, key: VerdictKey<'_>, reason: &Sentence) -> Result<()> {
        let reason = serde_json::to_string(reason).unwrap_or_else(|_| reason.to_string());
        table::verdict_failure::put(&self.lock(), key.parts(), &reason)
    }

    /// All stored results for a question, by judge and prompt version: answers, and failures where
    /// there is no answer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn verdicts_on(&self, question_hash: &str) -> Result<Vec<VerdictRow>> {
        let connection = self.lock();
        let answers = table::verdict::of_question(&connection, question_hash)?;
        let failures = table::verdict_failure::of_question(&connection, question_hash)?;
        let mut rows: Vec<VerdictRow> = answers
            .into_iter()
            .map(|[judge, prompt_version, answer, at]| VerdictRow {
                judge,
                prompt_version,
                kept: serde_json::from_str(&answer).map_or(StoredAnswer::Damaged, StoredAnswer::Answer),
                at,
            })
            .collect();
        rows.extend(failures.into_iter().map(|[judge, prompt_version, reason, at]| VerdictRow {
            judge,
            prompt_version,
            // Earlier versions stored only the text.
            kept: StoredAnswer::Failure(serde_json::from_str(&reason).unwrap_or_else(|_| reason.into())),
            at,
        }));
        rows.sort_by(|a, b| (&a.judge, &a.prompt_version).cmp(&(&b.judge, &b.prompt_version)));
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_answer_stays_and_every_part_of_the_key_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
        let key = VerdictKey { question_hash: "q", judge: "j", prompt_version: "1" };
        assert!(store.keep_verdict(key, &json!({"success": true})).expect("kept"));
        assert!(
            !store.keep_verdict(key, &json!({"success": false})).expect("asked"),
            "a verdict is never changed"
        );
        assert_eq!(store.verdict(key).expect("read"), Some(json!({"success": true})));
        for other in [
            VerdictKey { question_hash: "r", ..key },
            VerdictKey { judge: "k", ..key },
            VerdictKey { prompt_version: "2", ..key },
        ] {
            assert_eq!(store.verdict(other).expect("read"), None);
        }
    }
}
