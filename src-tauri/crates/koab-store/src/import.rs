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
pub use archive::Unpacked;
use entry_path::Wanted;
use koab_core::task::Problem;
use koab_engine::ports::Cancel;
use std::path::Path;

/// An imported pack and everything that is wrong with its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The pack as it is installed now.
    pub pack: PackInfo,
    /// Faults, in the order of the files.
    pub problems: Vec<Problem>,
}

/// Whoever waits for an import: hears how far it is, and may stop it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Once triggered, the import ends with [`Error::Cancelled`] and leaves the workspace as it was.
    pub cancel: &'a Cancel,
    /// Hears the files of recorded responses that are read, and all of them.
    pub progress: &'a dyn Fn(u64, u64),
}

/// Unpacks all files of an archive that anything here can read, without trusting any path in it.
///
/// # Errors
/// When it is no archive, hostile or damaged, or the disk refuses; [`Error::Cancelled`] when `cancel` was triggered.
pub fn unpack(path: &Path, cancel: &Cancel) -> Result<Unpacked> {
    archive::unpack(path, Wanted::Readable, cancel)
}

/// Whether a file is an archive that can be unpacked, by its first bytes.
///
/// # Errors
/// When it cannot be read.
pub fn is_archive(path: &Path) -> Result<bool> {
    archive::is_archive(path)
}

/// Whether `folder` itself is a pack: the starter layout, the published data, a checkout.
pub fn is_pack(folder: &Path) -> bool {
    layout::is_pack(folder)
}

/// The folders of a pack that hold its data and nothing else.
pub const PACK_FOLDERS: [&str; 3] = ["tasks", "cache", "bench"];

impl Store {
    /// Imports the pack at `path`: a folder or a `.zip`, `.tar`, `.tar.gz`, `.tgz` or `.tar.zst` of one. An
    /// installed pack of the same name is replaced. The first pack of a workspace becomes the active one.
    ///
    /// # Errors
    /// When there is no pack, the archive is hostile or damaged, or the disk refuses; nothing is imported then.
    pub fn import(&self, path: &Path) -> Result<Imported> {
        let watch = Watch {
            cancel: &Cancel::new(),
            progress: &|_, _| {},
        };
        self.import_watched(path, watch)
    }

    /// As [`Store::import`], while somebody watches.
    ///
    /// # Errors
    /// As [`Store::import`], and [`Error::Cancelled`].
    pub fn import_watched(&self, path: &Path, watch: Watch<'_>) -> Result<Imported> {
        let meta = std::fs::metadata(path).map_err(|error| Error::io("read", path, &error))?;
        if meta.is_dir() {
            return self.import_folder(path, path, Vec::new(), watch);
        }
        let unpacked = archive::unpack(path, Wanted::Pack, watch.cancel)?;
        self.import_folder(unpacked.folder.path(), path, unpacked.problems, watch)
    }

    /// Imports the pack in `folder`; errors name `shown`, which is what the user gave.
    ///
    /// # Errors
    /// As [`Store::import_watched`].
    pub fn import_folder(
        &self,
        folder: &Path,
        shown: &Path,
        mut problems: Vec<Problem>,
        watch: Watch<'_>,
    ) -> Result<Imported> {
        let layout = layout::detect(folder).ok_or_else(|| {
            Error::BadFile(format!(
                "{} holds no pack; it must be a folder or an archive with tasks/pack.json, tasks/L1.json or \
                 bench/tasks/L1.json",
                shown.display()
            ))
        })?;
        let source = source::read(&layout, shown, &mut problems)?;
        let pack = write::write(self, source, &mut problems, watch)?;
        Ok(Imported { pack, problems })
    }
}
