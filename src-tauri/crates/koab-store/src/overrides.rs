//! Human overrides: corrections of judges' verdicts by a person. They are stored next to the
//! verdicts and never replace a verdict in the database.
//!
//! An override belongs to a question, in any run: a run that gives the same answer again has the
//! same question, so the override applies to it. The newest override for a question and judge
//! counts. Earlier ones are kept as ended.

use crate::db::Store;
use crate::error::Result;
use crate::table::verdict_override;
pub use crate::table::verdict_override::{NewOverride, Override, VerdictPlace};
use std::collections::BTreeSet;

impl Store {
    /// Stores an override for several questions, or for none of them after an error. It replaces
    /// each question's current override for the judge.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn override_verdicts(&self, questions: &BTreeSet<String>, new: &NewOverride<'_>) -> Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for hash in questions {
            verdict_override::add(&transaction, hash, new)?;
        }
        Ok(transaction.commit()?)
    }

    /// Ends an override. Returns whether the override was in force until now.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn end_override(&self, id: i64, by: &str) -> Result<bool> {
        verdict_override::end(&self.lock(), id, by)
    }

    /// All overrides ever made, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn overrides(&self) -> Result<Vec<Override>> {
        verdict_override::all(&self.lock())
    }
}
