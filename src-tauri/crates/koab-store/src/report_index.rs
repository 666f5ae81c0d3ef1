//! The library of reports: an index in the database that follows the report folders, and the user's
//! remarks on them.
//!
//! Whoever adds, changes or removes a folder, the next listing sees it: a folder is read again when
//! one of its files has another size or time than when it was last read. What is remembered of a
//! folder is the caller's business.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::folder;
use crate::remarks::Remark;
use crate::report_files::{self, ReportFolder};
use crate::table::report as table;
use koab_core::say;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, mem};

/// A report as the index knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedReport<T> {
    /// The folder.
    pub folder: ReportFolder,
    /// What the caller made of its facts.
    pub row: Arc<T>,
    /// What the user says.
    pub remark: Remark,
}

/// Rows of the last listing of a process, by name and with the state of the folder: where none has
/// changed, the database is not asked.
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

/// What is remembered of a folder, each text the caller's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexEntry {
    /// What a listing needs.
    pub facts: String,
    /// Under which conditions the report was made; the same text for reports made alike.
    pub conditions: String,
    /// What pairs of reports are compared by.
    pub outcomes: String,
}

/// What pairs are compared by, of one report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedOutcomes {
    /// The folder's name.
    pub id: String,
    /// As remembered.
    pub conditions: String,
    /// As remembered.
    pub outcomes: String,
}

/// Days that a deleted report can be brought back.
const KEPT_DAYS: u64 = 30;
/// Between a report's name and the second of its deletion.
const DELETED: char = '~';

impl Store {
    /// Every report of a folder of reports, by name. `read` is called for folders that are new or
    /// have changed, `make` for facts of which `listed` has no row; `version` names what `read`
    /// makes of folders, so that an index of an earlier version is made again.
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
        // Who lists meanwhile asks the database.
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
        let mut known: HashMap<String, (String, String)> = HashMap::new();
        // An empty memory may be of a process that has just begun.
        if !same || before.is_empty() {
            let rows = table::all(&self.lock())?.into_iter();
            known.extend(rows.map(|(id, stamp, facts)| (id, (stamp, facts))));
        }
        let mut remarks = self.report_remarks()?;
        let (mut found, mut changed, mut now) = (Vec::new(), Vec::new(), HashMap::new());
        for (row, folder, stamp) in folders {
            let row = match (row, known.remove(&folder.id)) {
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
            found.push(IndexedReport { folder, row, remark });
        }
        if !changed.is_empty() || !known.is_empty() {
            self.index_reports(&changed, known.keys())?;
        }
        *listed.lock() = now;
        Ok(found)
    }

    /// Keeps what was read of folders, each with its id and state, and forgets those that are gone.
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

    /// What pairs are compared by, of every report as it was last listed, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_outcomes(&self) -> Result<Vec<IndexedOutcomes>> {
        let rows = table::outcomes(&self.lock())?.into_iter();
        let named = rows.map(|(id, conditions, outcomes)| IndexedOutcomes { id, conditions, outcomes });
        Ok(named.collect())
    }
}

/// Moves a report's folder into the trash and returns its name there. What has lain there for 30
/// days goes for good.
///
/// # Errors
/// [`Error::NotFound`] when there is no such report, or when the disk refuses.
pub fn trash(reports: &Path, trash: &Path, id: &str) -> Result<String> {
    let folder = place(reports, id)?;
    if !folder.is_dir() {
        return Err(Error::NotFound(say!("there is no report {id}")));
    }
    fs::create_dir_all(trash).map_err(|error| Error::io("create", trash, &error))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    empty(trash, now.saturating_sub(KEPT_DAYS * 24 * 60 * 60));
    let mut name = format!("{id}{DELETED}{now}");
    while trash.join(&name).exists() {
        name.push('+');
    }
    fs::rename(&folder, trash.join(&name)).map_err(|error| Error::io("move", &folder, &error))?;
    Ok(name)
}

/// Brings a report back from the trash and returns its id.
///
/// # Errors
/// When it is not there any more, there is another report of its name by now, or the disk refuses.
pub fn restore(reports: &Path, trash: &Path, name: &str) -> Result<String> {
    let folder = place(trash, name)?;
    let id = name.rsplit_once(DELETED).map_or(name, |(id, _)| id);
    let target = place(reports, id)?;
    if !folder.is_dir() {
        return Err(Error::NotFound(say!("{name} is not in the trash any more")));
    }
    if target.exists() {
        return Err(Error::BadFile(say!("there is another report {id} by now; delete it first")));
    }
    fs::rename(&folder, &target).map_err(|error| Error::io("move", &folder, &error))?;
    Ok(id.to_owned())
}

/// The names of deleted reports in the trash, sorted.
///
/// # Errors
/// When the trash is there and cannot be read.
pub fn trashed(trash: &Path) -> Result<Vec<String>> {
    let entries = folder::entries(trash)?.into_iter();
    let names = entries.flat_map(|entry| entry.file_name().into_string());
    let mut names: Vec<String> = names.filter(|name| name.contains(DELETED)).collect();
    names.sort();
    Ok(names)
}

/// A folder's place; a name that leads elsewhere is refused.
fn place(parent: &Path, name: &str) -> Result<PathBuf> {
    if report_files::is_name(name) {
        Ok(parent.join(name))
    } else {
        Err(Error::NotFound(say!("there is no report {name:?}")))
    }
}

fn empty(trash: &Path, before: u64) {
    for entry in fs::read_dir(trash).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let deleted =
            name.rsplit_once(DELETED).and_then(|(_, when)| when.trim_end_matches('+').parse::<u64>().ok());
        if deleted.is_some_and(|when| when < before) {
            // What cannot be removed now is tried again the next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
