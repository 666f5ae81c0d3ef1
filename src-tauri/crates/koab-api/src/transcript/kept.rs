//! Files that were read a moment ago: walking through a run's tasks must not read its megabytes anew at each step.

use crate::wire::WireError;
use koab_core::pack::Pack;
use koab_store::Store;
use koab_store::journal_index::JournalIndex;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What tells one state of a file from another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let about = std::fs::metadata(path).ok()?;
        Some(Self {
            bytes: about.len(),
            modified: about.modified().ok(),
        })
    }
}

/// The last few files of one kind, parsed.
pub(crate) struct Recent<T> {
    most: usize,
    /// The one used last stands last.
    files: Mutex<Vec<(PathBuf, Stamp, Arc<T>)>>,
}

impl<T> Recent<T> {
    /// Keeps so many.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            files: Mutex::default(),
        }
    }

    /// The file as it is now: the kept one while it is unchanged, else read again.
    pub(crate) fn get(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<T, WireError>,
    ) -> Result<Arc<T>, WireError> {
        let stamp = Stamp::of(path);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = files.iter().position(|(known, ..)| known == path) {
            let kept = files.remove(at);
            if Some(kept.1) == stamp {
                let value = kept.2.clone();
                files.push(kept);
                return Ok(value);
            }
        }
        // Reading takes long; others need not wait for it.
        drop(files);
        let value = Arc::new(read()?);
        if let Some(stamp) = stamp {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.retain(|(known, ..)| known != path);
            files.push((path.to_owned(), stamp, value.clone()));
            let over = files.len().saturating_sub(self.most);
            files.drain(..over);
        }
        Ok(value)
    }
}

/// Everything that transcripts keep in memory.
pub(crate) struct Kept {
    /// Level logs: those of two runs, so that two can be compared.
    pub(crate) levels: Recent<koab_core::log::LevelLog>,
    /// Reports.
    pub(crate) reports: Recent<koab_core::report::ReadReport>,
    journals: Mutex<HashMap<PathBuf, JournalIndex>>,
    /// The pack that was asked for last, by name and generation.
    pack: Mutex<Option<(String, i64, Arc<Pack>)>>,
}

/// Indexes of journals that are kept; one is small.
const JOURNALS: usize = 8;

impl Default for Kept {
    fn default() -> Self {
        Self {
            levels: Recent::new(14),
            reports: Recent::new(4),
            journals: Mutex::default(),
            pack: Mutex::default(),
        }
    }
}

impl Kept {
    /// A pack as it was last imported.
    pub(crate) fn pack(&self, store: &Store, name: &str) -> Result<Arc<Pack>, WireError> {
        let generation = store.pack_info(name)?.generation;
        let mut kept = self.pack.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, of, pack)) = &*kept
            && known == name
            && *of == generation
        {
            return Ok(pack.clone());
        }
        let pack = Arc::new(store.pack(name)?.0);
        *kept = Some((name.to_owned(), generation, pack.clone()));
        Ok(pack)
    }

    /// What a run's journal holds by now.
    pub(crate) fn journal(&self, folder: &Path) -> Result<JournalIndex, WireError> {
        let mut journals = self.journals.lock().unwrap_or_else(PoisonError::into_inner);
        if journals.len() >= JOURNALS && !journals.contains_key(folder) {
            journals.clear();
        }
        let index = journals.entry(folder.to_owned()).or_default();
        index.update(folder)?;
        Ok(index.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_file_is_read_once_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (recent, reads) = (Recent::new(2), Cell::new(0));
        let get = |name: &str| {
            let path = path(name);
            let read = || {
                reads.set(reads.get() + 1);
                Ok(std::fs::read_to_string(&path).unwrap())
            };
            recent.get(&path, read).unwrap().to_string()
        };
        for name in ["a", "b", "c"] {
            std::fs::write(path(name), name).unwrap();
        }
        assert_eq!([get("a"), get("a"), get("b")], ["a", "a", "b"]);
        assert_eq!(reads.get(), 2);
        std::fs::write(path("a"), "another").unwrap();
        assert_eq!(get("a"), "another");
        // The third one pushes out what was used longest ago.
        get("c");
        get("a");
        assert_eq!(reads.get(), 4);
        get("b");
        assert_eq!(reads.get(), 5);
    }
}
