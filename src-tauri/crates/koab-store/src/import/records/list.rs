//! Finds the files that hold cached responses.

use crate::error::{Error, Result};
use crate::import::roots::{ImportRoots, Kind};
use koab_core::finding::{Fault, Problem};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file with one record or many.
#[derive(Debug)]
pub(in crate::import) struct Unit {
    pub(in crate::import) path: PathBuf,
    /// Path inside the pack, with `/`.
    pub(in crate::import) shown: String,
    pub(in crate::import) kind: UnitKind,
}

impl Unit {
    /// The file's length; none for one that is gone.
    pub(in crate::import) fn bytes(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |file| file.len())
    }
}

/// What a file holds, by where it lies.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::import) enum UnitKind {
    /// `<tool>.jsonl`: one record a line.
    Lines {
        /// From the file's name.
        tool: String,
    },
    /// `<tool>/<xx>/<key>.json`.
    File {
        /// From the folder's name.
        tool: Option<String>,
        /// From the file's name.
        key: String,
    },
    /// `<xx>/<key>.json`, which the published tool looks at where it finds nothing else.
    Legacy {
        /// The record must say.
        tool: Option<String>,
        /// From the file's name.
        key: String,
    },
}

/// Every file with records under `cache`, in the order in which one takes precedence over another.
/// What lies there and is not read is a problem.
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
        let shown = format!("{shown}/{name}");
        if let (Some(tool), Kind::File) = (name.strip_suffix(".jsonl"), kind) {
            let kind = UnitKind::Lines { tool: tool.to_owned() };
            units.push(Unit { path, shown, kind });
        } else if kind == Kind::File {
            // Neither records nor a folder of them.
        } else if is_prefix(&name) {
            files(entries(&path, &shown)?, &shown, None, &mut units);
        } else {
            for (prefix, path, kind) in entries(&path, &shown)? {
                if is_prefix(&prefix) && kind == Kind::Folder {
                    let shown = format!("{shown}/{prefix}");
                    files(entries(&path, &shown)?, &shown, Some(&name), &mut units);
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

/// The first two digits of a key.
fn is_prefix(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The files and folders that a folder holds and that may be looked into; nothing when it is
/// missing or is not a folder.
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
    let mut found = Vec::new();
    for entry in read {
        let entry = entry.map_err(|error| Error::io("read", folder, &error))?;
        if let Ok(name) = entry.file_name().into_string()
            && !name.starts_with('.')
        {
            let kind = entry.file_type().map_err(|error| Error::io("read", &entry.path(), &error))?;
            match inside.kind(&entry.path(), kind) {
                Ok(kind) => found.push((name, entry.path(), kind)),
                Err(why) => problems.push(Fault::Unreadable.rejected(why).in_file(format!("{shown}/{name}"))),
            }
        }
    }
    Ok(found)
}
