//! Brings a pack into the workspace: from a folder or an archive, in any of the layouts it is handed around in.
//!
//! What a folder is, is found by what it holds (`layout`). Everything that is wrong with it is listed; what is
//! sound is kept. All of it goes in as one transaction: an import that fails leaves the workspace as it was, and
//! so does one that is interrupted. The source is only read.

mod archive;
mod catalog_py;
pub(crate) mod documents;
mod entry_path;
mod layout;
mod python_literal;
pub(crate) mod records;
mod source;
mod write;

use crate::db::Store;
use crate::error::{Error, Result};
use crate::packs::PackInfo;
use koab_core::task::Problem;
use std::path::Path;

/// An imported pack and everything that is wrong with its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The pack as it is installed now.
    pub pack: PackInfo,
    /// Faults, in the order of the files.
    pub problems: Vec<Problem>,
}

impl Store {
    /// Imports the pack at `path`: a folder or a `.zip`, `.tar`, `.tar.gz`, `.tgz` or `.tar.zst` of one. An
    /// installed pack of the same name is replaced. The first pack of a workspace becomes the active one.
    ///
    /// # Errors
    /// When there is no pack, the archive is hostile or damaged, or the disk refuses; nothing is imported then.
    pub fn import(&self, path: &Path) -> Result<Imported> {
        let meta = std::fs::metadata(path).map_err(|error| Error::io("read", path, &error))?;
        if meta.is_dir() {
            return self.import_folder(path, path, Vec::new());
        }
        let unpacked = archive::unpack(path)?;
        self.import_folder(unpacked.folder.path(), path, unpacked.problems)
    }

    /// Imports from `folder`; errors name `shown`, which is what the user gave.
    fn import_folder(&self, folder: &Path, shown: &Path, mut problems: Vec<Problem>) -> Result<Imported> {
        let layout = layout::detect(folder).ok_or_else(|| {
            Error::BadFile(format!(
                "{} holds no pack; it must be a folder or an archive with tasks/pack.json, tasks/L1.json or \
                 bench/tasks/L1.json",
                shown.display()
            ))
        })?;
        let source = source::read(&layout, shown, &mut problems)?;
        let pack = write::write(self, source, &mut problems)?;
        Ok(Imported { pack, problems })
    }
}
