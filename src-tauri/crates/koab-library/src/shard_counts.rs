//! Counts of a run's attempts that workers of a cluster have made, merged or not.

use crate::Library;
use koab_core::run_record::{AttemptCounts, RunManifest};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_store::runs::RunEntry;
use koab_store::{JudgingProgress, ShardCount, ShardProgress};
use koab_workspace::WireError;
use std::path::Path;

impl Library {
    /// Reads the progress of a run's shards from its files.
    pub fn progress<T>(
        &self,
        entry: &RunEntry,
        manifest: &RunManifest,
        look: impl FnOnce(&ShardProgress) -> T,
    ) -> Result<T, WireError> {
        self.inner.remote.attempts(&entry.run.folder, manifest, look)
    }

    /// Reads the progress of a judging from its files. `plan` is the hash of all questions of the
    /// judging, and their number.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn judging_progress<T>(
        &self,
        judging: &Path,
        plan: (&str, u32),
        look: impl FnOnce(&JudgingProgress) -> T,
    ) -> Result<T, WireError> {
        self.inner.remote.judging(judging, plan, look)
    }

    /// Returns the number of ended attempts of a run on a cluster, including attempts that are not
    /// merged yet.
    ///
    /// If a shard's file cannot be read, only merged attempts count, and the returned sentence has
    /// the reason.
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

    /// Returns the numbers of a run that has unmerged attempts; `None` if the journal has all
    /// attempts.
    ///
    /// The files of shards remain after a resumed run has copied their attempts.
    ///
    /// # Errors
    /// When a shard's file cannot be read, so that the counts are unknown.
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
