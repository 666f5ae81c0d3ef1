//! Imports a pack from a folder or an archive, in any of the supported layouts.
//!
//! `layout` recognises a folder by its content. All faults are reported, and everything sound is
//! imported.
//!
//! An import is one transaction: if it fails or is interrupted, the workspace is unchanged. The
//! source is only read.

mod archive;
mod benchmark;
mod catalog_py;
pub(crate) mod documents;
mod entry_path;
mod layout;
mod origin;
mod python_literal;
pub(crate) mod records;
pub(crate) mod roots;
mod source;
mod tasks;
mod watch;
pub(crate) mod write;

use crate::db::Store;
use crate::error::{Error, Result};
use crate::packs::PackInfo;
pub use archive::Unpacked;
pub use benchmark::BenchmarkPlace;
use entry_path::Selection;
use koab_core::finding::Problem;
use koab_core::say;
use koab_engine::ports::Cancel;
pub use origin::Origin;
use roots::ImportRoots;
use std::path::Path;
pub use watch::Watch;

/// An imported pack, with all problems of its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The installed pack.
    pub pack: PackInfo,
    /// Faults, in the order of the files.
    pub problems: Vec<Problem>,
}

/// Unpacks all files of an archive that koab can read. No path in the archive is trusted.
///
/// # Errors
/// When the file is not an archive, is hostile or damaged, or the disk refuses;
/// [`Error::Cancelled`] when `cancel` was triggered.
pub fn unpack(path: &Path, cancel: &Cancel) -> Result<Unpacked> {
    archive::unpack(path, Selection::Readable, Watch::only(cancel))
}

/// Whether a file is an archive that can be unpacked, by its first bytes.
///
/// # Errors
/// When the file cannot be read.
pub fn is_archive(path: &Path) -> Result<bool> {
    archive::is_archive(path)
}

/// Whether `folder` is the root of a pack in the starter layout, of the published data, or of a
/// checkout.
pub fn is_pack(folder: &Path) -> bool {
    layout::is_pack(folder)
}

/// Finds other benchmarks in a folder and its subfolders.
///
/// # Errors
/// When the disk refuses, a manifest names an unknown benchmark, or `cancel` was triggered.
pub fn benchmarks_below(folder: &Path, cancel: &Cancel) -> Result<Vec<BenchmarkPlace>> {
    let has_tasks = layout::detect(folder).is_some();
    benchmark::places(folder, &ImportRoots::find(folder)?, has_tasks, cancel)
}

/// Whether a pack may need the file at this path in an archive or repository.
pub fn is_of_pack(path: &str) -> bool {
    matches!(entry_path::judge(path, Selection::Pack), entry_path::EntryPath::Wanted(_))
}

/// Whether files at these paths make a pack: tasks, and tools for them.
pub fn is_pack_layout(paths: &[&str]) -> bool {
    layout::is_pack_layout(paths)
}

/// Unpacks the files of an archive that a pack may need. No path in the archive is trusted.
///
/// # Errors
/// See [`unpack`].
pub fn unpack_pack(path: &Path, cancel: &Cancel) -> Result<Unpacked> {
    archive::unpack(path, Selection::Pack, Watch::only(cancel))
}

/// Replaces texts that look like a service key in the error texts of an answer, as an import does.
pub fn redact(answer: &mut serde_json::Value) {
    records::redact::redact(answer);
}

/// Folders that contain only a pack's data.
pub const PACK_FOLDERS: [&str; 3] = ["tasks", "cache", "bench"];

impl Store {
    /// Imports the pack at `path`: a folder, or a `.zip`, `.tar`, `.tar.gz`, `.tgz` or `.tar.zst`
    /// archive.
    ///
    /// An installed pack of the same name is replaced. The first pack of a workspace becomes the
    /// active one.
    ///
    /// # Errors
    /// When there is no pack, the archive is hostile or damaged, or the disk refuses. Nothing is
    /// imported then.
    pub fn import(&self, path: &Path) -> Result<Imported> {
        self.import_watched(path, Watch::only(&Cancel::new()))
    }

    /// Imports a pack like [`Store::import`], with cancellation and progress.
    ///
    /// # Errors
    /// See [`Store::import`], and [`Error::Cancelled`].
    pub fn import_watched(&self, path: &Path, watch: Watch<'_>) -> Result<Imported> {
        let meta = std::fs::metadata(path).map_err(|error| Error::io("read", path, &error))?;
        if !meta.is_dir() && !meta.is_file() {
            let path = path.display();
            return Err(Error::BadFile(say!("{path} is neither a file nor a folder; nothing was imported")));
        }
        if meta.is_dir() {
            let around = layout::around(path);
            let folder = around.as_deref().unwrap_or(path);
            return self.import_folder(folder, path, Vec::new(), watch);
        }
        // In per cent: unpacking is the first half, and reading the unpacked files the second.
        let half = |from: u64, done: u64, total: u64| {
            let share = done.saturating_mul(50).checked_div(total).unwrap_or(0);
            (watch.progress)(from + share, 100);
        };
        let unpacking = Watch { progress: &|done, total| half(0, done, total), ..watch };
        let unpacked = archive::unpack(path, Selection::Pack, unpacking)?;
        let reading = Watch { progress: &|done, total| half(50, done, total), ..watch };
        self.import_folder(unpacked.folder.path(), path, unpacked.problems, reading)
    }

    /// Imports the fetched pack in `folder`. A pack without a manifest gets its name from `origin`.
    ///
    /// # Errors
    /// See [`Store::import_watched`].
    pub fn import_fetched(
        &self,
        folder: &Path,
        problems: Vec<Problem>,
        origin: &Origin,
        watch: Watch<'_>,
    ) -> Result<Imported> {
        self.import_below((folder, Path::new(&origin.source)), problems, Some(origin), watch)
    }

    /// Imports the pack in `folder`. Errors name `shown`, the path that the user gave.
    ///
    /// # Errors
    /// See [`Store::import_watched`].
    pub fn import_folder(
        &self,
        folder: &Path,
        shown: &Path,
        problems: Vec<Problem>,
        watch: Watch<'_>,
    ) -> Result<Imported> {
        self.import_below((folder, shown), problems, None, watch)
    }

    fn import_below(
        &self,
        (folder, shown): (&Path, &Path),
        mut problems: Vec<Problem>,
        origin: Option<&Origin>,
        watch: Watch<'_>,
    ) -> Result<Imported> {
        let inside = ImportRoots::find(folder)?;
        let layout = layout::detect(folder);
        if let Some(benchmark) = benchmark::detect(folder, &inside, layout.is_some(), watch.cancel)? {
            let pack = benchmark.import(self, shown, origin, watch, &mut problems)?;
            return Ok(Imported { pack, problems });
        }
        let layout = layout.ok_or_else(|| {
            Error::BadFile(say!(
                "{} holds no pack; it must be a folder or an archive with tasks/pack.json, tasks/L1.json, \
                 bench/tasks/L1.json, or the files of one of the benchmarks {}",
                shown.display(),
                crate::benchmarks::names()
            ))
        })?;
        let source = source::read(&layout, &inside, shown, origin, &mut problems)?;
        let pack = write::write(self, source, &mut problems, watch)?;
        Ok(Imported { pack, problems })
    }
}
