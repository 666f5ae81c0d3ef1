//! Index of the search through transcripts: a database of its own, made from the files of runs.
//!
//! The index holds nothing that the files of the runs do not hold. A damaged one, or one of another
//! version, is removed and made again. Texts that several attempts have in common, such as results
//! of tools, are stored once. `docs/design/find.md` has the figures.

mod attempts;
mod bits;
mod database;
mod document;
mod excerpt;
mod places;
mod search;
mod text_match;
mod write;

pub use document::{AttemptDocument, FieldText, RunHead};
pub use excerpt::Excerpt;
pub use search::{AttemptCount, FindHit, FindKey, FindPage};

use crate::error::Result;
use koab_core::find::Query;
use koab_core::sentence::Sentence;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use write::RunWriter;

/// Adds an attempt to a run in the index.
pub type AddAttempt<'a> = dyn FnMut(&AttemptDocument) -> Result<()> + 'a;

/// Index of the search through transcripts.
#[derive(Clone, Debug)]
pub struct FindIndex {
    path: PathBuf,
}

impl FindIndex {
    /// The index in this folder. The file is made at the first write.
    pub fn at(folder: &Path) -> Self {
        Self { path: folder.join(database::FILE) }
    }

    /// Runs in the index, each with the stamp of its files when they were read.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn runs(&self) -> Result<BTreeMap<String, String>> {
        match database::reader(&self.path)? {
            Some(connection) => database::runs(&connection),
            None => Ok(BTreeMap::new()),
        }
    }

    /// Replaces a run in the index. `attempts` adds the attempts one by one and returns the
    /// problems of the run's files; when it fails, the index keeps the earlier state of the run.
    ///
    /// # Errors
    /// When the index cannot be written, and the errors of `attempts`.
    pub fn write_run<E: From<crate::Error>>(
        &self,
        head: &RunHead<'_>,
        attempts: impl FnOnce(&mut AddAttempt<'_>) -> std::result::Result<Vec<Sentence>, E>,
    ) -> std::result::Result<(), E> {
        let mut connection = database::writer(&self.path)?;
        let mut writer = RunWriter::begin(&mut connection, head)?;
        let problems = attempts(&mut |attempt| writer.attempt(attempt))?;
        Ok(writer.finish(&problems)?)
    }

    /// Removes a run from the index.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn remove_run(&self, run: &str) -> Result<()> {
        let mut connection = database::writer(&self.path)?;
        write::remove(&mut connection, run)
    }

    /// Merges the parts of the index after many runs were written, which makes queries faster.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn compact(&self) -> Result<()> {
        database::compact(&database::writer(&self.path)?)
    }

    /// Attempts that match a query: exact counts, and the hits of one page. The newest run comes
    /// first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(&self, query: &Query, page: Range<usize>) -> Result<FindPage> {
        match database::reader(&self.path)? {
            Some(connection) => search::search(&connection, query, page),
            None => Ok(FindPage::default()),
        }
    }

    /// All attempts of these runs that match a query.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn keys(&self, query: &Query, runs: &[String]) -> Result<Vec<FindKey>> {
        match database::reader(&self.path)? {
            Some(connection) => search::keys(&connection, query, runs),
            None => Ok(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests;
