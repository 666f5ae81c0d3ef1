//! Progress of runs and judgings on clusters. The progress is in the memory of one process, so that
//! only new lines of the files have to be read.

use koab_core::run_record::RunManifest;
use koab_store::{JudgingProgress, ShardProgress};
use koab_workspace::WireError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of runs whose progress remains in memory.
const MAX_RUNS: usize = 16;

/// Progress of runs, by the folder of the run.
#[derive(Default)]
pub(crate) struct Progress {
    attempts: ByFolder<ShardProgress>,
    judging: ByFolder<JudgingProgress>,
}

type ByFolder<T> = Mutex<HashMap<PathBuf, T>>;

impl Progress {
    /// Reads the progress of a run's attempts from its files.
    pub(super) fn attempts<T>(
        &self,
        run: &Path,
        manifest: &RunManifest,
        look: impl FnOnce(&ShardProgress) -> T,
    ) -> Result<T, WireError> {
        let mut runs = room(&self.attempts, run);
        let progress = runs.entry(run.to_owned()).or_insert_with(|| ShardProgress::new(manifest));
        if !progress.is_of(manifest) {
            *progress = ShardProgress::new(manifest);
        }
        progress.read(run)?;
        Ok(look(progress))
    }

    /// Reads the progress of a judging from its files. `plan` is the hash of all questions of the
    /// judging, and `total` is their number.
    pub(crate) fn judging<T>(
        &self,
        judging: &Path,
        (plan, total): (&str, u32),
        look: impl FnOnce(&JudgingProgress) -> T,
    ) -> Result<T, WireError> {
        let mut judgings = room(&self.judging, judging);
        let progress =
            judgings.entry(judging.to_owned()).or_insert_with(|| JudgingProgress::new(plan, total));
        if !progress.is_of(plan) {
            *progress = JudgingProgress::new(plan, total);
        }
        progress.read(judging)?;
        Ok(look(progress))
    }
}

/// Returns the map after ensuring that it has room for an entry of this folder.
fn room<'a, T>(by_folder: &'a ByFolder<T>, folder: &Path) -> MutexGuard<'a, HashMap<PathBuf, T>> {
    let mut runs = by_folder.lock().unwrap_or_else(PoisonError::into_inner);
    if runs.len() >= MAX_RUNS && !runs.contains_key(folder) {
        runs.clear();
    }
    runs
}
