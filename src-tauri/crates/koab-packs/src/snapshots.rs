//! Commands for snapshots of cached responses: creation, comparison, export, and sharing as a pack.
//!
//! `koab-store` implements snapshots. This module turns a user's words into cache states: `pack`
//! means a pack's own records, `now` or `overlay` means these records with the saved responses
//! (answers of live calls, which koab stores apart from the pack), and any other word is a
//! snapshot's name.

use crate::Packs;
use crate::wire::{SnapshotDetail, SnapshotDiff, SnapshotExport, SnapshotList, StateView};
use koab_core::cache_source::{CacheSource, SnapshotRef};
use koab_core::say;
use koab_store::import::Origin;
use koab_store::snapshots::{ShareAs, check_name};
use koab_store::{CacheState, SnapshotInfo, StateOf};
use koab_workspace::WireError;
use std::path::Path;

/// Name and version of a shared pack. A missing one is derived from the shared state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareOptions {
    /// Name of the pack.
    pub name: Option<String>,
    /// Version of the pack.
    pub version: Option<String>,
}

impl Packs {
    /// Snapshots of a pack, with the number of calls that the pack answers now. Without a name, the
    /// snapshots of the active pack.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn snapshots_list(&self, pack: Option<&str>) -> Result<SnapshotList, WireError> {
        let (store, pack) = (self.workspace.store()?, self.workspace.pack_name(pack)?);
        let now = store.state(&StateOf::Now(pack.clone()))?.tools()?;
        let snapshots = store.snapshots()?.into_iter();
        Ok(SnapshotList {
            snapshots: snapshots.filter(|snapshot| snapshot.pack == pack).collect(),
            pack,
            recorded: now.iter().map(|tool| tool.recorded).sum(),
            added: now.iter().map(|tool| tool.added).sum(),
        })
    }

    /// All snapshots of the workspace, oldest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn snapshots_all(&self) -> Result<Vec<SnapshotInfo>, WireError> {
        Ok(self.workspace.store()?.snapshots()?)
    }

    /// Makes a snapshot of a pack's cached and saved responses. Without a name, the active pack is
    /// used.
    ///
    /// # Errors
    /// When there is no such pack, or the snapshot's name is taken or not valid.
    pub fn snapshot_create(
        &self,
        pack: Option<&str>,
        name: &str,
        note: &str,
    ) -> Result<SnapshotInfo, WireError> {
        check_name(name).map_err(|why| WireError::bad_request(say!("`{name}` {why}")))?;
        let pack = self.workspace.pack_name(pack)?;
        Ok(self.workspace.store()?.create_snapshot(&pack, name, note.trim())?)
    }

    /// One snapshot with its answers by tool. `verify` computes its hash again.
    ///
    /// # Errors
    /// When there is no such snapshot.
    pub fn snapshot_show(&self, name: &str, verify: bool) -> Result<SnapshotDetail, WireError> {
        let snapshot = self.workspace.store()?.snapshot(name)?;
        let state = self.workspace.store()?.state(&StateOf::Snapshot(name.to_owned()))?;
        Ok(SnapshotDetail {
            snapshot,
            tools: state.tools()?,
            verified: verify.then(|| state.compute_hash()).transpose()?,
        })
    }

    /// Differences between two states. At most `most` of them are listed. With `tool`, only
    /// differences of this tool are listed.
    ///
    /// # Errors
    /// When there is no such state.
    pub fn snapshot_diff(
        &self,
        pack: Option<&str>,
        (then, now): (&str, &str),
        tool: Option<&str>,
        most: usize,
    ) -> Result<SnapshotDiff, WireError> {
        let (then, now) = (self.state_of(then, pack)?, self.state_of(now, pack)?);
        let store = self.workspace.store()?;
        let (old, new) = (store.state(&then)?, store.state(&now)?);
        let diff = old.diff(&new, tool, most)?;
        Ok(SnapshotDiff {
            then: self.state_view(&then, &old)?,
            now: self.state_view(&now, &new)?,
            tools: diff.tools,
            differences: diff.differences,
            total: diff.total,
        })
    }

    /// Deletes a snapshot. Runs that used it keep its name and hash.
    ///
    /// # Errors
    /// When there is no such snapshot, or a run of this process may be reading it.
    pub fn snapshot_delete(&self, name: &str) -> Result<(), WireError> {
        Ok(self.workspace.store()?.delete_snapshot(name)?)
    }

    /// Writes a state to a folder in the published layout. Without a folder, a new one is created
    /// in the workspace's `exports`.
    ///
    /// # Errors
    /// When there is no such state, the folder is not empty, or the disk refuses.
    pub fn snapshot_export(
        &self,
        pack: Option<&str>,
        state: &str,
        folder: Option<&Path>,
    ) -> Result<SnapshotExport, WireError> {
        let of = self.state_of(state, pack)?;
        let opened = self.workspace.store()?.state(&of)?;
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => self.workspace.free_export(&file_name(&of, &opened), ""),
        };
        let exported = opened.export(&folder)?;
        Ok(SnapshotExport {
            path: folder.display().to_string(),
            records: exported.files,
            bytes: exported.bytes,
            pack: None,
            problems: exported.problems,
        })
    }

    /// Writes a state to a file, as a pack that others can import. Without a path, a new file is
    /// created in the workspace's `exports`.
    ///
    /// # Errors
    /// When there is no such state, its name would equal the pack's own, or the disk refuses.
    pub fn snapshot_share(
        &self,
        pack: Option<&str>,
        state: &str,
        file: Option<&Path>,
        options: ShareOptions,
    ) -> Result<SnapshotExport, WireError> {
        let of = self.state_of(state, pack)?;
        let opened = self.workspace.store()?.state(&of)?;
        let share = share_as(&of, &opened, options)?;
        let file = match file {
            Some(file) => file.to_owned(),
            None => self.workspace.free_export(&share.name, ".tar.gz"),
        };
        let archived = opened.archive(&file, &share)?;
        Ok(SnapshotExport {
            path: file.display().to_string(),
            records: archived.records,
            bytes: archived.bytes,
            pack: Some(format!("{}@{}", archived.name, archived.version)),
            problems: archived.problems,
        })
    }

    /// Turns a user's word into a cache state.
    ///
    /// # Errors
    /// When the word means a state of a pack, but no pack is named and none is active.
    pub fn state_of(&self, word: &str, pack: Option<&str>) -> Result<StateOf, WireError> {
        let pack = match word {
            "pack" | "now" | "overlay" => self.workspace.pack_name(pack)?,
            _ => String::new(),
        };
        Ok(StateOf::named(word, || pack))
    }

    /// Description of a state.
    ///
    /// # Errors
    /// When its snapshot does not exist any more.
    pub fn state_view(&self, of: &StateOf, opened: &CacheState) -> Result<StateView, WireError> {
        let hash = match of {
            StateOf::Snapshot(name) => Some(self.workspace.store()?.snapshot(name)?.hash),
            StateOf::Pack(_) | StateOf::Now(_) => None,
        };
        Ok(StateView {
            state: of.to_string(),
            pack: opened.manifest().name.clone(),
            version: opened.manifest().version.clone(),
            hash,
        })
    }

    /// Opens the cached responses for a run, and describes them for its manifest.
    ///
    /// # Errors
    /// When there is no such snapshot, or its tasks or tools differ from those of the run's pack.
    pub fn recorded(
        &self,
        pack: &str,
        snapshot: Option<&str>,
    ) -> Result<(std::sync::Arc<dyn koab_engine::ports::ResponseCache>, CacheSource), WireError> {
        let store = self.workspace.store()?;
        let of_pack = store.pack_ref(pack)?;
        let Some(name) = snapshot else {
            let source = CacheSource { snapshot: None, pack: of_pack };
            return Ok((std::sync::Arc::new(store.cache(pack)?), source));
        };
        if koab_store::snapshots::RESERVED.contains(&name) {
            return Err(WireError::bad_request(say!(
                "`{name}` keeps changing, so a run cannot be made again from it; make a snapshot with `koab cache snapshot create` and name that"
            )));
        }
        let info = store.snapshot(name)?;
        if !store.snapshot_fits(name, pack)? {
            return Err(WireError::bad_request(say!(
                "the snapshot `{name}` was made of {}@{}, and {pack} as it is installed has other tasks or tools; import that pack again, or share the snapshot as a pack and use it",
                info.pack,
                info.version
            )));
        }
        let state = store.state(&StateOf::Snapshot(name.to_owned()))?;
        let source =
            CacheSource { snapshot: Some(SnapshotRef { name: info.name, hash: info.hash }), pack: of_pack };
        Ok((std::sync::Arc::new(state), source))
    }
}

/// Default file name for the export of a state.
fn file_name(of: &StateOf, opened: &CacheState) -> String {
    match of {
        StateOf::Snapshot(name) => name.clone(),
        StateOf::Pack(_) | StateOf::Now(_) => format!("{}-{of}", opened.manifest().name),
    }
}

/// Name and version of a shared pack. The default version contains the hash of the content, so that
/// two packs with the same label are equal.
fn share_as(of: &StateOf, opened: &CacheState, options: ShareOptions) -> Result<ShareAs, WireError> {
    let pack = opened.manifest();
    let hash = opened.compute_hash()?;
    let name = match options.name {
        Some(name) if Origin::name_of(&name) == name.to_ascii_lowercase() => name,
        Some(name) => {
            return Err(WireError::bad_request(say!(
                "`{name}` is not a name for a pack; write at most 64 letters, digits, dots, dashes and underscores"
            )));
        }
        None => Origin::name_of(&format!("{}-{of}", pack.name)),
    };
    let added: u32 = opened.tools()?.iter().map(|tool| tool.added).sum();
    let what = match of {
        StateOf::Snapshot(name) => format!("the snapshot {name}"),
        StateOf::Pack(_) | StateOf::Now(_) => "the cached responses".to_owned(),
    };
    let own = format!("{}@{}", pack.name, pack.version);
    let beside = match added {
        0 => String::new(),
        added => format!(" and {added} answers that a user's runs got from the live APIs"),
    };
    let from = match pack.source.as_str() {
        "" => String::new(),
        source => format!("; that pack: {source}"),
    };
    Ok(ShareAs {
        version: options.version.unwrap_or_else(|| format!("{}+{}", pack.version, &hash[..12])),
        title: format!("{} ({name})", pack.title),
        source: format!("{what} of {own}: its records{beside} (hash {hash}){from}"),
        name,
    })
}

#[cfg(test)]
mod tests;
