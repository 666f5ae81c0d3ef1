//! Lists the files with cached responses in a pack's folder.

use crate::error::{Error, Result};
use crate::import::roots::{ImportRoots, Kind};
use koab_core::finding::{Fault, Problem};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// File with one cached response or many.
#[derive(Debug)]
pub(in crate::import) struct Unit {
    pub(in crate::import) path: PathBuf,
    /// Path inside the pack, with `/`.
    pub(in crate::import) shown: String,
    pub(in crate::import) kind: UnitKind,
}

impl Unit {
    /// Size of the file in bytes. Zero when it has disappeared.
    pub(in crate::import) fn bytes(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |file| file.len())
    }
}

/// Kind of a file with cached responses, by its path.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::import) enum UnitKind {
    /// `<tool>.jsonl`: one record per line.
    Lines {
        /// Tool name, from the file's name.
        tool: String,
    },
    /// `<tool>/<xx>/<key>.json`.
    File {
        /// Tool name, from the folder's name.
        tool: Option<String>,
        /// Key, from the file's name.
        key: String,
    },
    /// `<xx>/<key>.json`, which the published runner reads when no other file matches.
    Legacy {
        /// Always `None`: only the record itself names its tool.
        tool: Option<String>,
        /// Key, from the file's name.
        key: String,
    },
}

/// All files with cached responses under `cache`, in order of precedence. Entries that cannot be
/// read are recorded as problems.
pub(in crate::import) fn list(
    cache: &Path,
    shown: &str,
    inside: &ImportRoots,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Unit>> {
    let Ok(meta) = fs::symlink_metadata(cache) else {
        return Ok(Vec::new());
    };
    match inside.kind(cache, meta.file_type()) {
        Ok(Kind::Folder) => {}
        Ok(Kind::File) => return Ok(Vec::new()),
        Err(why) => {
            problems.push(Fault::Unreadable.rejected(why).in_file(shown));
            return Ok(Vec::new());
        }
    }
    let mut units = Vec::new();
    let mut entries = |folder: &Path, shown: &str| entries(folder, shown, inside, problems);
    for (name, path, kind) in entries(cache, shown)? {
        let inner = format!("{shown}/{name}");
        if let (Some(tool), Kind::File) = (name.strip_suffix(".jsonl"), kind) {
            let kind = UnitKind::Lines { tool: tool.to_owned() };
            units.push(Unit { path, shown: inner, kind });
        } else if kind == Kind::File {
            // Other files are not cached responses.
        } else if is_prefix(&name) {
            files(entries(&path, &inner)?, &inner, None, &mut units);
        } else {
            for (prefix, path, kind) in entries(&path, &inner)? {
                if is_prefix(&prefix) && kind == Kind::Folder {
                    let innermost = format!("{inner}/{prefix}");
                    files(entries(&path, &innermost)?, &innermost, Some(&name), &mut units);
                }
            }
        }
    }
    units.sort_by(|a, b| (&a.kind, &a.shown).cmp(&(&b.kind, &b.shown)));
    Ok(units)
}

fn files(entries: Vec<(String, PathBuf, Kind)>, shown: &str, tool: Option<&str>, units: &mut Vec<Unit>) {
    for (name, path, _) in entries.into_iter().filter(|(.., kind)| *kind == Kind::File) {
        let Some(key) = name.strip_suffix(".json") else {
            continue;
        };
        let (key, shown) = (key.to_owned(), format!("{shown}/{name}"));
        let kind = match tool {
            Some(tool) => UnitKind::File { tool: Some(tool.to_owned()), key },
            None => UnitKind::Legacy { tool: None, key },
        };
        units.push(Unit { path, shown, kind });
    }
}

/// Whether a folder's name is the first two hexadecimal digits of a key.
fn is_prefix(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Files and folders in a folder that may be opened. Empty when the folder is missing or is not a
/// folder.
fn entries(
    folder: &Path,
    shown: &str,
    inside: &ImportRoots,
    problems: &mut Vec<Problem>,
) -> Result<Vec<(String, PathBuf, Kind)>> {
    let read = match fs::read_dir(folder) {
        Ok(read) => read,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(Error::io("read", folder, &error)),
    };
    let mut list = Vec::new();
    for entry in read {
        let entry = entry.map_err(|error| Error::io("read", folder, &error))?;
        if let Ok(name) = entry.file_name().into_string()
            && !name.starts_with('.')
        {
            let kind = entry.file_type().map_err(|error| Error::io("read", &entry.path(), &error))?;
            match inside.kind(&entry.path(), kind) {
                Ok(kind) => list.push((name, entry.path(), kind)),
                Err(why) => problems.push(Fault::Unreadable.rejected(why).in_file(format!("{shown}/{name}"))),
            }
        }
    }
    Ok(list)
}
