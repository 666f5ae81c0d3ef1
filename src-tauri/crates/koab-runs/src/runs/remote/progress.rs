//! How far runs on clusters and their judges have come, as one process knows it. Only what is new
//! in their files is read.

use crate::wire::WireError;
use koab_core::run_record::RunManifest;
use koab_store::{JudgingProgress, ShardProgress};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs of which is kept how far they have come.
const KEPT: usize = 16;

/// By their folders.
#[derive(Default)]
pub(crate) struct Progress {
    attempts: ByFolder<ShardProgress>,
    judging: ByFolder<JudgingProgress>,
}

type ByFolder<T> = Mutex<HashMap<PathBuf, T>>;

impl Progress {
    /// What the files of a run say of its attempts.
    pub(super) fn attempts<T>(
        &self,
        run: &Path,
        manifest: &RunManifest,
        look: impl FnOnce(&ShardProgress) -> T,
    ) -> Result<T, WireError> {
        let mut known = room(&self.attempts, run);
        let progress = known.entry(run.to_owned()).or_insert_with(|| ShardProgress::new(manifest));
        if !progress.is_of(manifest) {
            *progress = ShardProgress::new(manifest);
        }
        progress.read(run)?;
        Ok(look(progress))
    }

    /// What the files of a judging say of so many answers to questions of this hash.
    pub(crate) fn judging<T>(
        &self,
        judging: &Path,
        (plan, total): (&str, u32),
        look: impl FnOnce(&JudgingProgress) -> T,
    ) -> Result<T, WireError> {
        let mut known = room(&self.judging, judging);
        let progress = known.entry(judging.to_owned()).or_insert_with(|| JudgingProgress::new(plan, total));
        if !progress.is_of(plan) {
            *progress = JudgingProgress::new(plan, total);
        }
        progress.read(judging)?;
        Ok(look(progress))
    }
}

/// What is kept, with room for one of this folder.
fn room<'a, T>(kept: &'a ByFolder<T>, folder: &Path) -> MutexGuard<'a, HashMap<PathBuf, T>> {
    let mut known = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= KEPT && !known.contains_key(folder) {
        known.clear();
    }
    known
}
