//! Takes a trial's folder back after its end.
//!
//! A scenario can put something in the place of the outcome, and without a container remove,
//! replace or lock its folder and its log. None of that may cost the trial its outcome.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _};
use std::path::Path;

use crate::outcome::OUTCOME;

/// Makes a trial's folder one that the outcome can be written to. Says what the scenario had done
/// to it.
///
/// # Errors
/// When the system refuses.
pub(crate) fn folder(folder: &Path) -> io::Result<Option<Sentence>> {
    let mut said = None;
    match folder.symlink_metadata() {
        Ok(is) if is.is_dir() => make_writable(folder, &is)?,
        there => {
            if there.is_ok() {
                move_aside(folder)?;
            }
            fs::create_dir_all(folder)?;
            said = Some(say!("the scenario removed its folder, and with it what it had written there"));
        }
    }
    let outcome = folder.join(OUTCOME);
    // A file of that name is replaced.
    if outcome.symlink_metadata().is_ok_and(|is| is.is_dir()) {
        let name = move_aside(&outcome)?;
        said = Some(say!("the scenario's own folder outcome.json is now {name}"));
    }
    Ok(said)
}

/// Writes a log again that is not in its place any more. Says so when it had to.
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
    let mut again = OpenOptions::new().write(true).create_new(true).open(path)?;
    io::copy(file, &mut again)?;
    again.sync_all()?;
    Ok(Some(say!("the scenario removed its log, which was written again")))
}

/// Gives what is in the way another name beside it, and that name.
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
fn make_writable(folder: &Path, is: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = is.permissions().mode();
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

/// Whether an open file is still the one of this name.
#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let open = file.metadata()?;
    Ok(path.symlink_metadata().is_ok_and(|named| (named.dev(), named.ino()) == (open.dev(), open.ino())))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as on Unix")]
fn is_at(path: &Path, _: &File) -> io::Result<bool> {
    Ok(path.is_file())
}
