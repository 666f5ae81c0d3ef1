//! The starter pack, which is built into the program so that a first run needs nothing else.

use crate::error::WireError;
use include_dir::{Dir, include_dir};
use koab_core::say;
use koab_store::Store;

/// Tasks and scenarios of the starter pack.
pub static TASKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../tasks");
static CACHE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../../cache");

/// Name of the starter pack in its manifest.
pub const NAME: &str = "starter";
/// Name of the setting that records that the user removed the pack.
pub const REMOVED: &str = "starter_removed";

/// Imports the starter pack, unless this version is installed or the user removed the pack.
///
/// # Errors
/// When the disk refuses.
pub fn install(store: &Store) -> Result<(), WireError> {
    if store.setting(REMOVED)?.is_some() {
        return Ok(());
    }
    let carried = TASKS
        .get_file("pack.json")
        .and_then(|file| serde_json::from_slice::<serde_json::Value>(file.contents()).ok())
        .ok_or_else(|| WireError::internal(say!("the starter pack has no manifest")))?;
    let packs = store.packs()?;
    if packs
        .iter()
        .any(|p| p.manifest.name == NAME && Some(p.manifest.version.as_str()) == carried["version"].as_str())
    {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(WireError::storage)?;
    // The scenarios next to the tasks are not part of the pack, and the import ignores them.
    for (dir, name) in [(&TASKS, "tasks"), (&CACHE, "cache")] {
        let target = folder.path().join(name);
        std::fs::create_dir_all(&target).and_then(|()| dir.extract(&target)).map_err(WireError::storage)?;
    }
    store.import(folder.path())?;
    if store.active_pack()?.is_none() {
        store.use_pack(NAME)?;
    }
    Ok(())
}
