//! Scans the paths that the user named for files to import. Archives are unpacked, and packs are
//! listed separately.

use super::item::{ImportItem, ImportedKind};
pub(crate) use koab_workspace::paths::{last_part, last_parts};

use crate::bundle::{BundleFolder, is_bundle, take_out};
use koab_core::level::GROUPS;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::ports::Cancel;
use koab_store::Error;
use koab_store::import::{self, Unpacked};
use koab_store::intake::ORIGIN;
use koab_store::run_log::MANIFEST;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum depth of nested folders.
const DEPTH: usize = 24;

/// Maximum size of an imported file. The largest published log has 2 MB.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// Extensions of files that may be imported. The content of a file decides whether it is imported.
const ENDINGS: [&str; 4] = ["json", "jsonl", "csv", "md"];

/// Names of folders that programs make for themselves and that contain no files of the user.
const SKIPPED: [&str; 3] = ["node_modules", "__MACOSX", "target"];

/// A file that may be imported.
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// Path for display, below the path that the user named.
    pub(super) shown: String,
    /// Whether the user named this file itself and not a folder above it.
    pub(super) named: bool,
}

/// Folder of a pack.
pub(super) struct PackFolder {
    pub(super) folder: PathBuf,
    pub(super) shown: String,
}

/// Result of a scan.
#[derive(Default)]
pub(super) struct Scan {
    /// Files grouped by folder, sorted by name.
    pub(super) groups: Vec<Vec<Candidate>>,
    pub(super) packs: Vec<PackFolder>,
    /// Files and folders that cannot be read or are not supported.
    pub(super) refused: Vec<ImportItem>,
    /// Number of files that are skipped because of their extension.
    pub(super) left_alone: u32,
    /// Folders of other benchmarks. They are not scanned for logs and reports.
    passed: Vec<PathBuf>,
    /// Unpacked archives. They are deleted after the import.
    unpacked: Vec<Unpacked>,
    /// Unpacked bundles. They are deleted after the import.
    bundles: Vec<BundleFolder>,
}

impl Scan {
    pub(super) fn walk(paths: &[PathBuf], cancel: &Cancel) -> Self {
        let mut scan = Self::default();
        // Files of one folder belong together, even if they were named one by one.
        let mut named_files: BTreeMap<PathBuf, Vec<Candidate>> = BTreeMap::new();
        for path in paths {
            let shown = last_part(path);
            match fs::metadata(path) {
                Err(error) => {
                    let why = match error.kind() {
                        std::io::ErrorKind::NotFound => say!("is not there; check the path"),
                        _ => say!("cannot be read: {error}"),
                    };
                    scan.refuse(&path.display().to_string(), why);
                }
                Ok(meta) if meta.is_dir() => scan.folder(path, &shown, 0, cancel),
                Ok(meta) if !meta.is_file() => scan.refuse(&shown, say!("is neither a file nor a folder")),
                Ok(_) if is_bundle(path) => scan.bundle(path, &shown, cancel),
                Ok(meta) => match import::is_archive(path) {
                    Ok(true) => scan.archive(path, &shown, cancel),
                    Err(error) => scan.refuse(&shown, error.to_sentence()),
                    Ok(false) if meta.len() == 0 => scan.refuse(&shown, say!("is empty")),
                    Ok(false) if meta.len() > MAX_FILE_BYTES => scan.refuse(&shown, too_large()),
                    Ok(false) => {
                        let candidate = Candidate { path: path.clone(), shown, named: true };
                        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                        let group = named_files.entry(folder).or_default();
                        if group.iter().all(|known| known.path != *path) {
                            group.push(candidate);
                        }
                    }
                },
            }
        }
        scan.groups.extend(named_files.into_values());
        scan
    }

    pub(super) fn files(&self) -> u64 {
        self.groups.iter().map(|group| group.len() as u64).sum()
    }

    fn refuse(&mut self, shown: &str, why: impl Into<Sentence>) {
        self.refused.push(ImportItem::refused(ImportedKind::Unknown, shown, why));
    }

    fn archive(&mut self, path: &Path, shown: &str, cancel: &Cancel) {
        match import::unpack(path, cancel) {
            Err(Error::Cancelled) => {}
            Err(error) => {
                let path = path.display().to_string();
                let why = error.to_string();
                // The message begins with the full path, which the list already shows.
                let why = why.strip_prefix(&path).map_or(why.as_str(), str::trim_start);
                self.refuse(shown, why);
            }
            Ok(unpacked) => {
                for problem in &unpacked.problems {
                    self.refuse(shown, problem.to_sentence());
                }
                let folder = unpacked.folder.path().to_owned();
                self.unpacked.push(unpacked);
                self.folder(&folder, shown, 0, cancel);
            }
        }
    }

    /// Verifies a bundle, and scans its run and its reports.
    fn bundle(&mut self, path: &Path, shown: &str, cancel: &Cancel) {
        match take_out(path, cancel) {
            Ok(None) => {}
            Ok(Some(taken)) => {
                let folder = taken.path().to_owned();
                self.bundles.push(taken);
                self.folder(&folder, shown, 0, cancel);
            }
            Err(why) => self.refuse(shown, why),
        }
    }

    fn folder(&mut self, folder: &Path, shown: &str, depth: usize, cancel: &Cancel) {
        if cancel.is_cancelled() {
            return;
        }
        if depth > DEPTH {
            self.refuse(shown, say!("is more than {DEPTH} folders deep and was not read"));
            return;
        }
        if depth == 0 {
            self.benchmarks(folder, shown, cancel);
        }
        if self.passed.iter().any(|passed| passed == folder) {
            return;
        }
        let is_pack = import::is_pack(folder);
        if is_pack {
            self.packs.push(PackFolder { folder: folder.to_owned(), shown: shown.to_owned() });
        }
        let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                self.refuse(shown, say!("cannot be read: {error}"));
                return;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut group = Vec::new();
        let is_run =
            entries.iter().any(|entry| [MANIFEST, ORIGIN].iter().any(|name| entry.file_name() == *name));
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let shown = format!("{shown}/{name}");
            let Ok(kind) = entry.file_type() else { continue };
            let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
            let may_be_ours = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
            if name.starts_with('.') || SKIPPED.contains(&name.as_str()) {
                continue;
            }
            if kind.is_symlink() {
                // A link could point anywhere, even to a folder above it.
                if may_be_ours {
                    self.refuse(&shown, say!("is a link; links are not followed"));
                }
            } else if kind.is_dir() {
                if !(is_pack && import::PACK_FOLDERS.contains(&name.as_str())) {
                    let before = self.groups.len();
                    self.folder(&entry.path(), &shown, depth + 1, cancel);
                    // Logs of a run's groups belong to the files next to their folder.
                    if name == GROUPS && is_run {
                        let inside = self.groups.drain(before..);
                        group.extend(inside.flatten());
                    }
                }
            } else if !kind.is_file() || !may_be_ours {
                self.other(&entry.path(), &shown, depth, cancel);
            } else if is_pack && name == "tool_catalog.json" {
                // Part of the pack.
            } else {
                match entry.metadata().map_or(0, |meta| meta.len()) {
                    0 => self.refuse(&shown, say!("is empty")),
                    size if size > MAX_FILE_BYTES => self.refuse(&shown, too_large()),
                    _ => group.push(Candidate { path: entry.path(), shown, named: false }),
                }
            }
        }
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// Finds packs of other benchmarks at any depth. All other files of their authors' repositories
    /// are skipped; files outside of the repositories are scanned.
    fn benchmarks(&mut self, folder: &Path, shown: &str, cancel: &Cancel) {
        let places = match import::benchmarks_below(folder, cancel) {
            Ok(places) => places,
            Err(Error::Cancelled) => return,
            Err(error) => {
                self.refuse(shown, error.to_sentence());
                return;
            }
        };
        for place in places {
            let below = place.folder.strip_prefix(folder).unwrap_or(Path::new(""));
            let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
            let shown: Vec<_> = std::iter::once(shown.to_owned()).chain(parts).collect();
            self.left_alone = self.left_alone.saturating_add(u32::try_from(place.others).unwrap_or(u32::MAX));
            self.packs.push(PackFolder { folder: place.folder.clone(), shown: shown.join("/") });
            self.passed.push(place.folder);
        }
    }

    /// Handles a file whose extension is not that of an imported file. It may be an archive, a
    /// bundle, or a file to skip. `shown` is its name for people, and `depth` the depth of its
    /// folder in the import.
    fn other(&mut self, path: &Path, shown: &str, depth: usize, cancel: &Cancel) {
        let in_archive = self.unpacked.iter().any(|unpacked| path.starts_with(unpacked.folder.path()));
        if path.is_file() && is_bundle(path) {
            self.bundle(path, shown, cancel);
            return;
        }
        // Archives in archives are not unpacked, since small ones can grow without limit.
        if depth <= DEPTH && !in_archive && path.is_file() && import::is_archive(path).unwrap_or(false) {
            self.archive(path, shown, cancel);
        } else {
            self.left_alone += 1;
        }
    }
}

fn too_large() -> Sentence {
    say!("is larger than {} MB", MAX_FILE_BYTES >> 20)
}
