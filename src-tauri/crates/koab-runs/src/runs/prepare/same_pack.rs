//! Comparison of a resumed run's pack with the installed one.

use crate::runs::library::EarlierRun;
use koab_core::pack_identity::PackIdentity;
use koab_core::say;
use koab_workspace::WireError;

/// Whether a pack has not changed since the run was made. If the run reads a snapshot, changes of
/// the pack's cached responses do not matter.
pub(crate) fn is_same_pack(was: &PackIdentity, now: &PackIdentity, reads_snapshot: bool) -> bool {
    was.tasks_sha256 == now.tasks_sha256
        && was.tools == now.tools
        && (reads_snapshot || was.records_sha256 == now.records_sha256)
}

/// Refuses to resume a run if its pack has changed.
pub(super) fn check_pack(
    earlier: &EarlierRun,
    label: &str,
    identity: &PackIdentity,
    is_snapshot: bool,
) -> Result<(), WireError> {
    if earlier.pack() != label {
        return Err(WireError::not_found(say!(
            "the run was made with pack {}, but {} is installed; import the former to resume",
            earlier.pack(),
            label
        )));
    }
    if let Some(was) = earlier.identity()
        && !is_same_pack(was, identity, is_snapshot)
    {
        return Err(WireError::not_found(say!(
            "the run was made with other tasks, tools or cached responses than pack {} has now; import that pack again as it was, or make a new run",
            label
        )));
    }
    Ok(())
}
