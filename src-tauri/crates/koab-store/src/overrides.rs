//! What people said instead of judges, beside the verdicts and never in their place.
//!
//! An override answers a question, wherever that is asked: a run that gives the same answer again
//! has the same question and keeps it. The newest for a question and judge holds; earlier ones
//! stay, ended.

use crate::db::Store;
use crate::error::Result;
use crate::table::verdict_override;
pub use crate::table::verdict_override::{NewOverride, Override};

impl Store {
    /// Keeps overrides, all or none. Each takes the place of the one that held for its question and
    /// judge.
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
