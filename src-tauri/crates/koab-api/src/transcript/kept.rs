//! What transcripts keep in memory: walking through a run's tasks must not read its megabytes anew at each step.

use crate::recent::Recent;
use crate::wire::WireError;
use koab_core::pack::Pack;
use koab_store::Store;
use koab_store::journal_index::JournalIndex;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
