//! The library of reports: an index in the database that follows the report folders, and the user's remarks on them.
//!
//! Whoever adds, changes or removes a folder, the next listing sees it: a folder is read again when one of its files has
//! another size or time than when it was last read. What is remembered of a folder is the caller's business.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::folder;
use crate::remarks::Remark;
use crate::report_files::{self, ReportFolder};
use crate::table::report as table;
use koab_core::say;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A report as the index knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedReport {
    /// The folder.
    pub folder: ReportFolder,
    /// What `read` said about it.
    pub facts: String,
    /// What the user says.
    pub remark: Remark,
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
    /// Every report of a folder of reports, by name. `read` is called for folders that are new or have changed;
    /// `version` names what it makes of them, so that an index of an earlier version is made again.
    ///
    /// # Errors
    /// When the folder or the database cannot be read.
    pub fn reports(
        &self,
        reports: &Path,
        version: &str,
        read: impl Fn(&ReportFolder) -> IndexEntry,
    ) -> Result<Vec<IndexedReport>> {
        let folders = report_files::list_stamped(reports)?;
        let mut known: HashMap<String, (String, String)> = {
            let rows = table::all(&self.lock())?.into_iter();
            rows.map(|(id, stamp, facts)| (id, (stamp, facts))).collect()
        };
        let mut remarks = self.report_remarks()?;
        let (mut found, mut changed) = (Vec::new(), Vec::new());
        for (folder, stamp) in folders {
            let stamp = format!("{version} {stamp}");
            let facts = match known.remove(&folder.id) {
                Some((was, facts)) if was == stamp => facts,
                _ => {
                    let remembered = read(&folder);
                    let facts = remembered.facts.clone();
                    changed.push((folder.id.clone(), stamp, remembered));
                    facts
                }
            };
            let remark = remarks.remove(&folder.id);
            found.push(IndexedReport {
                remark: remark.unwrap_or_default(),
                folder,
                facts,
            });
        }
        if !changed.is_empty() || !known.is_empty() {
            let mut connection = self.lock();
            let transaction = connection.transaction()?;
            for (id, stamp, remembered) in &changed {
                table::put(&transaction, id, stamp, &remembered.facts)?;
                table::put_outcomes(&transaction, id, &remembered.conditions, &remembered.outcomes)?;
            }
            for id in known.keys() {
                table::forget(&transaction, id)?;
            }
            transaction.commit()?;
        }
        Ok(found)
    }

    /// What pairs are compared by, of every report as it was last listed, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn report_outcomes(&self) -> Result<Vec<IndexedOutcomes>> {
        let rows = table::outcomes(&self.lock())?.into_iter();
        let named = rows.map(|(id, conditions, outcomes)| IndexedOutcomes {
            id,
            conditions,
            outcomes,
        });
        Ok(named.collect())
    }
}

/// Moves a report's folder into the trash and returns its name there. What has lain there for 30 days goes for good.
///
/// # Errors
/// [`Error::NotFound`] when there is no such report, or when the disk refuses.
pub fn trash(reports: &Path, trash: &Path, id: &str) -> Result<String> {
    let folder = place(reports, id)?;
    if !folder.is_dir() {
        return Err(Error::NotFound(say!("there is no report {id}")));
    }
    fs::create_dir_all(trash).map_err(|error| Error::io("create", trash, &error))?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
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
        return Err(Error::BadFile(say!(
            "there is another report {id} by now; delete it first"
        )));
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
        let deleted = name
            .rsplit_once(DELETED)
            .and_then(|(_, when)| when.trim_end_matches('+').parse::<u64>().ok());
        if deleted.is_some_and(|when| when < before) {
            // What cannot be removed now is tried again the next time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
