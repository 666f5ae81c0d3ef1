//! Library of reports: an index in the database that follows the report folders, with the user's
//! remarks.
//!
//! The next listing sees every added, changed or removed folder: a folder is read again when the
//! size or time of one of its files has changed. The caller decides what is stored about a folder.

use crate::db::Store;
use crate::error::Result;
use crate::remarks::Remark;
use crate::report_files::{self, ReportFolder};
use crate::table::report as table;
use std::collections::HashMap;
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Report in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedReport<T> {
    /// Folder of the report.
    pub folder: ReportFolder,
    /// Row for the list of reports, which the caller made from [`IndexEntry::facts`].
    pub row: Arc<T>,
    /// Tags and note of the user.
    pub remark: Remark,
}

/// Rows of the last listing in this process, by report, with the state of each folder. If no folder
/// has changed since then, the database is not read.
pub struct Listed<T>(Mutex<Rows<T>>);

type Rows<T> = HashMap<String, (String, Arc<T>)>;

impl<T> Listed<T> {
    fn lock(&self) -> MutexGuard<'_, Rows<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// Index entry of a folder. The caller defines the form of each text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexEntry {
    /// Facts that the list of reports shows, such as the model and the scores.
    pub facts: String,
    /// Conditions under which the run of the report was made, such as its pack and protocol.
    /// Reports whose texts are equal were made under the same conditions.
    pub conditions: String,
    /// Outcomes of the yes-or-no metrics on each task, for the comparison with another report.
    pub outcomes: String,
}

/// Outcomes of one report for comparisons with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedOutcomes {
    /// Name of the folder.
    pub id: String,
    /// Conditions, as in [`IndexEntry`].
    pub conditions: String,
    /// Outcomes, as in [`IndexEntry`].
    pub outcomes: String,
}

impl Store {
    /// All reports in a folder, by name.
    ///
    /// `read` is called for folders that are new or have changed, `make` for facts that `listed`
    /// has no row of. `version` identifies what `read` produces: entries of another version are
    /// read again.
    ///
    /// # Errors
    /// When the folder or the database cannot be read.
    pub fn reports<T>(
        &self,
        reports: &Path,
        version: &str,
        listed: &Listed<T>,
        read: impl Fn(&ReportFolder) -> IndexEntry,
        make: impl Fn(&ReportFolder, &str) -> T,
    ) -> Result<Vec<IndexedReport<T>>> {
        let folders = report_files::list_stamped(reports)?;
        // Concurrent listings read the database meanwhile.
        let before = mem::take(&mut *listed.lock());
        let as_listed = |id: &str, stamp: &str| {
            let (was, row) = before.get(id)?;
            (was == stamp).then(|| row.clone())
        };
        let folders: Vec<_> = folders
            .into_iter()
            .map(|(folder, stamp)| (folder, format!("{version} {stamp}")))
            .map(|(folder, stamp)| (as_listed(&folder.id, &stamp), folder, stamp))
            .collect();
        let same = before.len() == folders.len() && folders.iter().all(|(row, ..)| row.is_some());
        let mut indexed: HashMap<String, (String, String)> = HashMap::new();
        // The process may have just started when the memory is empty.
        if !same || before.is_empty() {
            let rows = table::all(&self.lock())?.into_iter();
            indexed.extend(rows.map(|(id, stamp, facts)| (id, (stamp, facts))));
        }
        let mut remarks = self.report_remarks()?;
        let (mut library, mut changed, mut now) = (Vec::new(), Vec::new(), HashMap::new());
        for (row, folder, stamp) in folders {
            let row = match (row, indexed.remove(&folder.id)) {
                (Some(row), _) => row,
                (None, Some((was, facts))) if was == stamp => Arc::new(make(&folder, &facts)),
                _ => {
                    let remembered = read(&folder);
                    let row = Arc::new(make(&folder, &remembered.facts));
                    changed.push((folder.id.clone(), stamp.clone(), remembered));
                    row
                }
            };
            now.insert(folder.id.clone(), (stamp, row.clone()));
            let remark = remarks.remove(&folder.id).unwrap_or_default();
            library.push(IndexedReport { folder, row, remark });
        }
        if !changed.is_empty() || !indexed.is_empty() {
            self.index_reports(&changed, indexed.keys())?;
        }
        *listed.lock() = now;
        Ok(library)
    }

    /// Stores new index entries, each with the id and state of its folder, and deletes those of
    /// removed folders.
    fn index_reports<'a>(
        &self,
        changed: &[(String, String, IndexEntry)],
        gone: impl Iterator<Item = &'a String>,
    ) -> Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for (id, stamp, remembered) in changed {
            table::put(&transaction, id, stamp, &remembered.facts)?;
            table::put_outcomes(&transaction, id, &remembered.conditions, &remembered.outcomes)?;
        }
        for id in gone {
            table::forget(&transaction, id)?;
        }
        Ok(transaction.commit()?)
    }

    /// Outcomes of all reports as of their last listing, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_outcomes(&self) -> Result<Vec<IndexedOutcomes>> {
        let rows = table::outcomes(&self.lock())?.into_iter();
        let indexed = rows.map(|(id, conditions, outcomes)| IndexedOutcomes { id, conditions, outcomes });
        Ok(indexed.collect())
    }
}

#[cfg(test)]
mod tests;
