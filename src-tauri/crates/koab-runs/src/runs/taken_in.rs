//! What workers made of a run's parts, copied into its journal.

use crate::wire::WireError;
use koab_core::run_record::RunManifest;
use koab_store::FolderLog;
use koab_store::runs::RunEntry;
use koab_store::shards::{self, MergeCounts};

/// Takes in what the parts of a run have, where it has any. A journal begins with the settings of the run, whoever made the attempts.
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
