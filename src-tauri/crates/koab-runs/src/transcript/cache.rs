//! What transcripts keep in memory: walking through a run's tasks must not read its megabytes anew
//! at each step.

use crate::wire::WireError;
use koab_store::journal_index::{JournalIndex, SavedIndexes};
use koab_workspace::Recent;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that transcripts keep in memory.
pub(crate) struct Cache {
    /// Level logs: those of two runs, so that two can be compared.
    pub(crate) levels: Recent<koab_core::log::LevelLog>,
    /// Reports.
    pub(crate) reports: Recent<koab_report::ReadReport>,
    journals: Mutex<HashMap<PathBuf, Arc<Mutex<IndexSlot>>>>,
    saved: SavedIndexes,
    /// Whether it was said that indexes cannot be saved.
    said: AtomicBool,
}

/// The index of one run; nothing before it was looked for.
type IndexSlot = Option<Arc<JournalIndex>>;

/// Indexes of journals that are kept; one is small.
const JOURNALS: usize = 256;

impl Cache {
    /// Nothing yet; indexes of long journals are kept in this folder.
    pub(crate) fn new(indexes: PathBuf) -> Self {
        Self {
            levels: Recent::new(14),
            reports: Recent::new(4),
            journals: Mutex::default(),
            saved: SavedIndexes::at(indexes),
            said: AtomicBool::new(false),
        }
    }

    /// Attempts that have ended by a run's journal; 0 when it cannot be read, which whoever opens
    /// the run is told.
    pub(crate) fn ended(&self, folder: &Path) -> u32 {
        let index = self.journal(folder);
        index.map_or(0, |index| index.len() as u32)
    }

    /// What a run's journal holds by now.
    pub(crate) fn journal(&self, folder: &Path) -> Result<Arc<JournalIndex>, WireError> {
        let kept = self.slot(folder);
        // A long journal is read for seconds, and only who wants the same one waits.
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let index = kept.get_or_insert_with(|| Arc::new(self.saved.load(folder).unwrap_or_default()));
        if !index.is_current(folder) {
            let index = Arc::make_mut(index);
            index.update(folder)?;
            // Without it the next process reads the journal again.
            if let Err(error) = self.saved.save(folder, index)
                && !self.said.swap(true, Ordering::Relaxed)
            {
                tracing::warn!("where the attempts of a long run stand cannot be saved: {error}");
            }
        }
        Ok(Arc::clone(index))
    }

    fn slot(&self, folder: &Path) -> Arc<Mutex<IndexSlot>> {
        let mut journals = self.journals.lock().unwrap_or_else(PoisonError::into_inner);
        if journals.len() >= JOURNALS && !journals.contains_key(folder) {
            journals.clear();
        }
        Arc::clone(journals.entry(folder.to_owned()).or_default())
    }
}
