//! Export and check of packs.

use crate::Packs;
use crate::answers::Answers;
use crate::wire::{PackFile, PackLint};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use koab_core::catalog::ToolCatalog;
use koab_core::finding::Problem;
use koab_store::Store;
use koab_store::draft::remedied;
use koab_store::export::PackArchive;
use koab_workspace::WireError;
use std::path::Path;

impl Packs {
    /// Exports an installed pack as an archive that `koab pack import` reads. Without a name, the
    /// active pack is exported.
    ///
    /// # Errors
    /// When there is no such pack, or a tool's name is not valid as a file name.
    pub fn archive(&self, name: Option<&str>) -> Result<PackArchive, WireError> {
        Ok(self.workspace.store()?.export_pack(&self.workspace.pack_name(name)?)?)
    }

    /// Result of [`Packs::archive`] for the window.
    ///
    /// # Errors
    /// See [`Packs::archive`].
    pub fn export(&self, name: &str) -> Result<PackFile, WireError> {
        let archive = self.archive(Some(name))?;
        Ok(PackFile { name: archive.file_name, label: archive.label, base64: STANDARD.encode(archive.bytes) })
    }

    /// All problems of a pack: an installed pack by its name or label, or a folder or archive. A
    /// folder or archive is checked without being imported.
    ///
    /// # Errors
    /// When it is not a pack.
    pub fn lint(&self, pack: Option<&str>) -> Result<PackLint, WireError> {
        match pack.map(Path::new) {
            // A name that is also the path of a folder means the installed pack, as for runs.
            Some(path)
                if path.exists() && self.workspace.store()?.pack_info(&path.to_string_lossy()).is_err() =>
            {
                let folder = tempfile::tempdir().map_err(WireError::storage)?;
                let aside = Store::open(&folder.path().join("koab.sqlite"))?;
                let imported = aside.import(path)?;
                lint(&aside, &imported.pack.manifest.name, imported.problems)
            }
            _ => {
                let name = self.workspace.pack_name(pack)?;
                let store = self.workspace.store()?;
                lint(store, &name, store.pack_problems(&name)?)
            }
        }
    }
}

fn lint(store: &Store, name: &str, problems: Vec<Problem>) -> Result<PackLint, WireError> {
    let (pack, _) = store.pack(name)?;
    let answers = Answers::new(ToolCatalog::new(pack.tools.clone()), store.cache(name)?);
    let (mut calls, mut missing) = (0, Vec::new());
    for task in pack.tasks.values().flatten() {
        for (i, call) in task.path_calls().iter().enumerate() {
            calls += 1;
            if !answers.is_answered(&call.tool, &call.args)? {
                missing.push(format!("{}: {}. {}", task.id, i + 1, call.tool));
            }
        }
    }
    Ok(PackLint {
        label: pack.label(),
        problems: problems.into_iter().map(remedied).collect(),
        calls,
        answered: calls - missing.len() as u32,
        missing,
    })
}

#[cfg(test)]
mod tests;
