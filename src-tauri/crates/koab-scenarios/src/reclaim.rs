//! Repairs a trial's folder and log after the trial, so that the outcome can be written.
//!
//! A scenario can write its own `outcome.json`, and without a container it can remove, replace or
//! lock its folder and its log. The outcome must be written in any case.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _};
use std::path::Path;

use crate::outcome::OUTCOME;

/// Makes a trial's folder writable for the outcome. Returns a description of the scenario's
/// changes, if the scenario made any.
///
/// # Errors
/// When the system refuses.
pub(crate) fn folder(folder: &Path) -> io::Result<Option<Sentence>> {
    let mut change = None;
    match folder.symlink_metadata() {
        Ok(meta) if meta.is_dir() => make_writable(folder, &meta)?,
        there => {
            if there.is_ok() {
                move_aside(folder)?;
            }
            fs::create_dir_all(folder)?;
            change = Some(say!("the scenario removed its folder, and with it what it had written there"));
        }
    }
    let outcome = folder.join(OUTCOME);
    // A file of that name is replaced when the outcome is written.
    if outcome.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        let name = move_aside(&outcome)?;
        change = Some(say!("the scenario's own folder outcome.json was renamed to {name}"));
    }
    Ok(change)
}

/// Writes a log again when its file is no longer at its path. Then returns a description of the
/// scenario's change.
///
/// # Errors
/// When the system refuses.
pub(crate) fn log(path: &Path, file: &mut File) -> io::Result<Option<Sentence>> {
    if is_at(path, file)? {
        return Ok(None);
    }
    if path.symlink_metadata().is_ok() {
        move_aside(path)?;
    }
    file.rewind()?;
    let mut restored = OpenOptions::new().write(true).create_new(true).open(path)?;
    io::copy(file, &mut restored)?;
    restored.sync_all()?;
    Ok(Some(say!("the scenario removed its log, which was written again")))
}

/// Renames an entry in the same folder, and returns its new name.
///
/// # Errors
/// When the system refuses.
pub(crate) fn move_aside(path: &Path) -> io::Result<String> {
    let name = name_of(path);
    let mut aside = format!("{name}.scenario");
    let mut copy = 1;
    while path.with_file_name(&aside).symlink_metadata().is_ok() {
        copy += 1;
        aside = format!("{name}.scenario-{copy}");
    }
    fs::rename(path, path.with_file_name(&aside))?;
    Ok(aside)
}

#[cfg(unix)]
fn make_writable(folder: &Path, meta: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = meta.permissions().mode();
    if mode & 0o700 == 0o700 {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(mode | 0o700))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
fn make_writable(_: &Path, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Whether an open file is still the file at this path.
#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let open = file.metadata()?;
    Ok(path.symlink_metadata().is_ok_and(|meta| (meta.dev(), meta.ino()) == (open.dev(), open.ino())))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
fn is_at(path: &Path, _: &File) -> io::Result<bool> {
    Ok(path.is_file())
}
