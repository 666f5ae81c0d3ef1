//! Files that transcripts keep in memory. So stepping through the tasks of a run does not read
//! megabytes at each step.

use koab_store::journal_index::{JournalIndex, SavedIndexes};
use koab_workspace::{Recent, WireError};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Files that transcripts keep in memory.
pub(crate) struct Cache {
    /// Level logs. There is room for those of two runs, so that two runs can be compared.
    pub(crate) levels: Recent<koab_core::log::LevelLog>,
    /// Recently read reports.
    pub(crate) reports: Recent<koab_report::ReadReport>,
    journals: Mutex<HashMap<PathBuf, Arc<Mutex<IndexSlot>>>>,
    saved: SavedIndexes,
    /// Whether the warning that indexes cannot be saved was already logged.
    has_warned: AtomicBool,
}

/// Place for the index of one run's journal; `None` before the first use.
type IndexSlot = Option<Arc<JournalIndex>>;

/// Maximum number of journal indexes in memory. An index is small.
const MAX_JOURNALS: usize = 256;

impl Cache {
    /// Creates an empty cache. Indexes of long journals are saved in the folder `indexes`.
    pub(crate) fn new(indexes: PathBuf) -> Self {
        Self {
            levels: Recent::new(14),
            reports: Recent::new(4),
            journals: Mutex::default(),
            saved: SavedIndexes::at(indexes),
            has_warned: AtomicBool::new(false),
        }
    }

    /// Returns the number of ended attempts in a run's journal. If the journal cannot be read,
    /// returns 0; opening the run then reports the error.
    pub(crate) fn ended(&self, folder: &Path) -> u32 {
        let index = self.journal(folder);
        index.map_or(0, |index| index.len() as u32)
    }

    /// Returns an up-to-date index of a run's journal.
    pub(crate) fn journal(&self, folder: &Path) -> Result<Arc<JournalIndex>, WireError> {
        let slot = self.slot(folder);
        // Reading a long journal takes seconds, and blocks only readers of the same journal.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let index = slot.get_or_insert_with(|| Arc::new(self.saved.load(folder).unwrap_or_default()));
        if !index.is_current(folder) {
            let index = Arc::make_mut(index);
            index.update(folder)?;
            // Without a saved index, the next process reads the journal again.
            if let Err(error) = self.saved.save(folder, index)
                && !self.has_warned.swap(true, Ordering::Relaxed)
            {
                tracing::warn!("where the attempts of a long run stand cannot be saved: {error}");
            }
        }
        Ok(Arc::clone(index))
    }

    fn slot(&self, folder: &Path) -> Arc<Mutex<IndexSlot>> {
        let mut journals = self.journals.lock().unwrap_or_else(PoisonError::into_inner);
        if journals.len() >= MAX_JOURNALS && !journals.contains_key(folder) {
            journals.clear();
        }
        Arc::clone(journals.entry(folder.to_owned()).or_default())
    }
}
