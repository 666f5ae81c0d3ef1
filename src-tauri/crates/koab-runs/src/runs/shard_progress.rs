//! How far runs on clusters and their judges have come, as one process knows it. Only what is new
//! in their files is read.

use crate::Library;
use crate::wire::WireError;
use koab_core::run_record::{AttemptCounts, RunManifest};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_store::runs::RunEntry;
use koab_store::{JudgingProgress, ShardCount, ShardProgress};
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
    fn attempts<T>(
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

impl Library {
    /// What the files of a run say of its shards.
    pub(crate) fn progress<T>(
        &self,
        entry: &RunEntry,
        manifest: &RunManifest,
        look: impl FnOnce(&ShardProgress) -> T,
    ) -> Result<T, WireError> {
        self.inner.remote.attempts(&entry.run.folder, manifest, look)
    }

    /// Attempts of a run on a cluster that have ended, those of parts that are not merged among
    /// them; where a file of a part cannot be read, those of the journal, and why.
    pub(crate) fn done_remotely(&self, entry: &RunEntry, manifest: &RunManifest) -> (u32, Option<Sentence>) {
        match self.progress(entry, manifest, |progress| progress.whole().done) {
            Ok(done) => (done, None),
            Err(error) => {
                let merged = self.inner.kept.ended(&entry.run.folder);
                let why = error.message;
                (
                    merged,
                    Some(say!(
                        "only attempts that are merged are counted, since the files of workers cannot be read: {why}"
                    )),
                )
            }
        }
    }

    /// Attempts of a run with shards that are not merged; `None` where the journal has all that
    /// they have. Their files stay where the run went on here and took them in.
    ///
    /// # Errors
    /// When a file of a shard cannot be read, so that nobody knows.
    pub(crate) fn unmerged(&self, entry: &RunEntry) -> Result<Option<AttemptCounts>, WireError> {
        if koab_store::shards::files(&entry.run.folder)?.is_empty() {
            return Ok(None);
        }
        let Some(manifest) = entry.run.manifest()? else {
            return Ok(None);
        };
        let ShardCount { planned, done, failed } = self.progress(entry, &manifest, ShardProgress::whole)?;
        Ok((done > self.inner.kept.ended(&entry.run.folder)).then_some(AttemptCounts {
            planned,
            done,
            failed,
        }))
    }
}
