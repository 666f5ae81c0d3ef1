//! Copies the attempts of workers into the journal of their run.

use koab_core::run_record::RunManifest;
use koab_store::FolderLog;
use koab_store::runs::RunEntry;
use koab_store::shards::{self, MergeCounts};
use koab_workspace::WireError;

/// Copies the attempts of a run's shards into the journal. The journal then begins with the run's
/// settings, even if workers made all attempts.
pub(super) fn take_in(
    entry: &RunEntry,
    log: &mut FolderLog,
    manifest: &RunManifest,
) -> Result<MergeCounts, WireError> {
    if !shards::files(&entry.run.folder)?.is_empty() {
        log.begin(manifest)?;
    }
    Ok(shards::take_in(&entry.run, log, &manifest.plan_hash())?)
}
