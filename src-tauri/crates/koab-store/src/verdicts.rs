//! Verdicts by question, judge and prompt version.
//!
//! A judge's three votes on one question are one answer here (a JSON array or object, the caller's choice): the
//! store keeps what it is given and does no arithmetic.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::table;
use serde_json::Value;

/// What an answer is kept under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictKey<'a> {
    /// Hash of everything the judge is shown.
    pub question_hash: &'a str,
    /// The judge's model id.
    pub judge: &'a str,
    /// Version of the prompts, such as their hash.
    pub prompt_version: &'a str,
}

impl VerdictKey<'_> {
    fn parts(&self) -> [&str; 3] {
        [self.question_hash, self.judge, self.prompt_version]
    }
}

impl Store {
    /// The answer kept under `key`, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn verdict(&self, key: VerdictKey<'_>) -> Result<Option<Value>> {
        let Some(text) = table::verdict::get(&self.lock(), key.parts())? else {
            return Ok(None);
        };
        let damaged = |error| Error::BadFile(format!("a verdict in koab.sqlite is no JSON: {error}"));
        serde_json::from_str(&text).map(Some).map_err(damaged)
    }

    /// Keeps an answer; where there is one already, that one stays. Returns whether it was new.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn keep_verdict(&self, key: VerdictKey<'_>, answer: &Value) -> Result<bool> {
        table::verdict::put(&self.lock(), key.parts(), &answer.to_string())
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
        let key = VerdictKey {
            question_hash: "q",
            judge: "j",
            prompt_version: "1",
        };
        assert!(store.keep_verdict(key, &json!({"success": true})).expect("kept"));
        assert!(
            !store
                .keep_verdict(key, &json!({"success": false}))
                .expect("asked"),
            "a verdict is never changed"
        );
        assert_eq!(store.verdict(key).expect("read"), Some(json!({"success": true})));
        for other in [
            VerdictKey {
                question_hash: "r",
                ..key
            },
            VerdictKey { judge: "k", ..key },
            VerdictKey {
                prompt_version: "2",
                ..key
            },
        ] {
            assert_eq!(store.verdict(other).expect("read"), None);
        }
    }
}
