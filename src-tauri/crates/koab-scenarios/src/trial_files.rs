//! Listing and reading of a trial's folder for display.
//!
//! A scenario can write anything into its folder: links to other folders, pipes that never end,
//! names that are not text. So every component of a path below the results folder is opened
//! separately and must not be a link, and only regular files are read. The results folder itself is
//! the user's choice and may be a link.

use koab_core::say;
use koab_core::sentence::ToSentence as _;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::layout::TrialId;
use crate::legacy;
use crate::natural_order::natural;
use crate::outcome::{FORMAT, OUTCOME, Outcome, Trial};

/// Maximum depth of subfolders that are listed.
const MAX_DEPTH: usize = 16;

/// Entry of a trial's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(export, rename = "ScenarioTrialFile")]
pub struct Entry {
    /// Path relative to the trial's folder, with `/` as separator. Bytes that are not UTF-8 become
    /// U+FFFD.
    pub path: String,
    /// Kind of the entry.
    pub kind: Kind,
    /// Size in bytes; 0 for entries that are not files.
    pub bytes: u64,
}

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, rename = "TrialFileKind")]
pub enum Kind {
    /// A regular file whose name is valid UTF-8. It can be read.
    File,
    /// A link.
    Link,
    /// A pipe, a socket, a device, or a file whose name is not valid UTF-8.
    Other,
}

/// Listing of a trial's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Files, links and other entries in natural order.
    pub entries: Vec<Entry>,
    /// Whether entries are missing because there are too many or they are too deep.
    pub cut: bool,
}

/// Path of a trial's folder, after checking that no component of it is a link.
///
/// # Errors
/// When the folder does not exist, or a link is on its path.
pub fn folder(results: &Path, trial: &TrialId) -> io::Result<PathBuf> {
    let mut path = results.to_owned();
    for part in [&trial.scenario, &trial.instance, &trial.repetition.to_string()] {
        path.push(checked(part)?);
        if !fs::symlink_metadata(&path)?.is_dir() {
            return Err(no_folder());
        }
    }
    Ok(path)
}

/// Lists at most `most` entries of a trial's folder.
///
/// # Errors
/// When the folder does not exist, a link is on its path, or it cannot be read.
pub fn list(results: &Path, trial: &TrialId, most: usize) -> io::Result<Listing> {
    let mut listing = Listing::default();
    walk(&folder(results, trial)?, "", 0, most, &mut listing)?;
    listing.entries.sort_by(|a, b| natural(&a.path, &b.path));
    Ok(listing)
}

fn walk(folder: &Path, before: &str, depth: usize, most: usize, listing: &mut Listing) -> io::Result<()> {
    for entry in folder.read_dir()? {
        if listing.entries.len() >= most {
            listing.cut = true;
            return Ok(());
        }
        let entry = entry?;
        let name = entry.file_name();
        let path = format!("{before}{}", name.to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if depth >= MAX_DEPTH {
                listing.cut = true;
                continue;
            }
            // Only the files of the unreadable folder are missing then.
            if walk(&entry.path(), &format!("{path}/"), depth + 1, most, listing).is_err() {
                listing.cut = true;
            }
            continue;
        }
        let is_text = name.to_str().is_some();
        listing.entries.push(Entry {
            path,
            kind: match kind {
                kind if kind.is_symlink() => Kind::Link,
                kind if kind.is_file() && is_text => Kind::File,
                _ => Kind::Other,
            },
            bytes: if kind.is_file() { entry.metadata()?.len() } else { 0 },
        });
    }
    Ok(())
}

/// First `most` bytes of a trial's file, and the size of the whole file.
///
/// # Errors
/// When there is no such file, a component of its path is a link or leads out, or it is not a
/// regular file.
pub fn read(results: &Path, trial: &TrialId, path: &str, most: u64) -> io::Result<(Vec<u8>, u64)> {
    let repetition = trial.repetition.to_string();
    let mut parts = vec![trial.scenario.as_str(), &trial.instance, &repetition];
    parts.extend(path.split('/'));
    let parts = parts.into_iter().map(checked).collect::<io::Result<Vec<_>>>()?;
    let file = open(results, &parts)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, say!("it is not a regular file")));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok((bytes, meta.len()))
}

/// Checks that a path component is a plain name that does not lead elsewhere.
fn checked(part: &str) -> io::Result<&str> {
    let foreign = cfg!(windows) && part.contains(['\\', ':']);
    if part.is_empty() || part == "." || part == ".." || part.contains(['/', '\0']) || foreign {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, say!("this is not a path within the trial")));
    }
    Ok(part)
}

fn no_folder() -> io::Error {
    io::Error::new(
        io::ErrorKind::NotADirectory,
        say!("a part of the path is a link or not a folder; links are not followed"),
    )
}

/// Opens a file component by component, so that no process can put a link into the path meanwhile.
/// Does not block, as opening a pipe could wait forever.
#[cfg(unix)]
fn open(results: &Path, parts: &[&str]) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let file = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut at = rustix::fs::open(results, folder, Mode::empty())?;
    for (place, part) in parts.iter().enumerate() {
        let flags = if place + 1 == parts.len() { file } else { folder | OFlags::NOFOLLOW };
        at = openat(&at, *part, flags, Mode::empty()).map_err(|error| match error {
            rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => no_folder(),
            error => error.into(),
        })?;
    }
    Ok(File::from(at))
}

#[cfg(not(unix))]
fn open(results: &Path, parts: &[&str]) -> io::Result<File> {
    let mut path = results.to_owned();
    for part in parts {
        path.push(part);
        if fs::symlink_metadata(&path)?.is_symlink() {
            return Err(no_folder());
        }
    }
    File::open(path)
}

/// State and outcome of the trial in `folder`, which any tool may have run.
pub fn outcome(folder: &Path) -> Trial {
    if !folder.is_dir() {
        return Trial::Missing;
    }
    let path = folder.join(OUTCOME);
    // A link could lead to another trial's outcome.
    let ours = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
    if !ours {
        return legacy::read(folder);
    }
    let outcome = fs::read(&path).map_err(|error| error.to_sentence()).and_then(|bytes| {
        serde_json::from_slice::<Outcome>(&bytes).map_err(|error| error.to_string().into())
    });
    match outcome {
        Ok(outcome) if outcome.format > FORMAT => {
            Trial::HalfMade { why: say!("{OUTCOME} was written by a newer version of the product") }
        }
        Ok(outcome) => Trial::Finished(Box::new(outcome)),
        Err(error) => Trial::HalfMade { why: say!("{OUTCOME} cannot be read: {error}") },
    }
}
