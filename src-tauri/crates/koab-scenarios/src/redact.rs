//! Removes secrets from the files of a scenario. A scenario can write every secret that it can read
//! into its files.
//!
//! Each secret is overwritten by stars of the same length, so that database files stay readable.
//! Secrets that a scenario compressed or encrypted are not found.

use koab_core::secrets::Secrets;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::folder_walk::{FolderEntry, WalkError, walk};

/// Name of a renamed entry, and replacement for secrets in the paths of messages.
const MASK: &str = "[secret]";
/// Minimum length of a secret in bytes that is searched in names. Shorter values occur by chance.
const MIN_BYTES_IN_NAMES: usize = 8;
/// Number of bytes that are read at a time.
const READ_BYTES: usize = 1 << 20;

/// Result of removing secrets from a folder.
#[derive(Debug, Default)]
pub struct Redacted {
    /// Files that contained a secret, and entries whose names contained one, relative to the
    /// folder. Secrets in the paths are masked.
    pub held: Vec<PathBuf>,
    /// Entries that could not be searched or written, relative to the folder, and the errors. They
    /// may still contain a secret.
    pub missed: Vec<WalkError>,
}

/// Overwrites these secrets in every file under a folder, and renames entries whose names contain
/// one. Links are not followed.
#[must_use]
pub fn redact(folder: &Path, secrets: &[String]) -> Redacted {
    let in_names = Secrets::new(MASK, MIN_BYTES_IN_NAMES, secrets);
    let secrets = Secrets::new("", 1, secrets);
    let (mut files, mut named) = (Vec::new(), Vec::new());
    if secrets.is_empty() {
        return Redacted::default();
    }
    let mut missed = walk(folder, &mut |entry| {
        let is_held = if entry.is_file { redact_file(entry, &secrets) } else { Ok(false) };
        if in_names.are_in(entry.name().as_encoded_bytes()) {
            named.push((entry.path(), matches!(is_held, Ok(true))));
        }
        if is_held? {
            files.push(entry.path());
        }
        Ok(())
    });
    // The walk calls a folder before its entries, so the entries are renamed first.
    for (number, (path, is_held)) in named.into_iter().enumerate().rev() {
        match rename(&folder.join(&path), number) {
            Ok(()) if is_held => {}
            Ok(()) => files.push(path),
            Err(error) => missed.push((path, error)),
        }
    }
    let masked = |path: PathBuf| PathBuf::from(in_names.text(&path.to_string_lossy()));
    Redacted {
        held: files.into_iter().map(masked).collect(),
        missed: missed.into_iter().map(|(path, error)| (masked(path), error)).collect(),
    }
}

/// Gives an entry a name without a secret.
fn rename(path: &Path, number: usize) -> std::io::Result<()> {
    let to = path.with_file_name(format!("{MASK}-{number}"));
    if to.symlink_metadata().is_ok() {
        return Err(std::io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(path, to)
}

fn redact_file(place: &FolderEntry<'_>, secrets: &Secrets) -> std::io::Result<bool> {
    let mut file = place.open(false)?;
    // A process that is still running could extend the file for ever.
    let end = file.metadata()?.len();
    let overlap = secrets.longest().saturating_sub(1);
    let mut occurrences: Vec<(u64, usize)> = Vec::new();
    let mut window: Vec<u8> = Vec::with_capacity(READ_BYTES + overlap);
    // Offset of the window in the file.
    let mut start = 0u64;
    while start + (window.len() as u64) < end {
        let at = start + window.len() as u64;
        let Some(next) = written_from(&file, at)? else {
            break;
        };
        if next > at {
            window.clear();
            start = next;
        }
        file.seek(SeekFrom::Start(next))?;
        let read = (&mut file).take(READ_BYTES as u64).read_to_end(&mut window)?;
        if read == 0 {
            break;
        }
        let places = secrets.places(&window).into_iter();
        occurrences.extend(places.map(|(at, length)| (start + at as u64, length)));
        let keep = overlap.min(window.len());
        start += (window.len() - keep) as u64;
        window.drain(..window.len() - keep);
    }
    if occurrences.is_empty() {
        return Ok(false);
    }
    let mut file = place.open(true)?;
    for (offset, length) in occurrences {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&vec![b'*'; length])?;
    }
    file.sync_all()?;
    Ok(true)
}

/// Offset of the first byte at or after `at` that is not in a hole of the file; `None` when only a
/// hole follows.
///
/// Without skipping holes, a sparse file of terabytes would be read for hours.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn written_from(file: &File, at: u64) -> std::io::Result<Option<u64>> {
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Data(at)) {
        Ok(next) => Ok(Some(next)),
        Err(rustix::io::Errno::NXIO) => Ok(None),
        // Not every file system supports this.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOTSUP) => Ok(Some(at)),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape as elsewhere")]
fn written_from(_: &File, at: u64) -> std::io::Result<Option<u64>> {
    Ok(Some(at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::path::Path;

    use super::{READ_BYTES, redact};

    #[test]
    fn secrets_go_wherever_they_lie_and_nothing_else_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(file("deep")).unwrap();
        let mut large = vec![b'x'; READ_BYTES - 3];
        large.extend_from_slice(b"sk-canary-1 and the rest");
        std::fs::write(file("deep/large.bin"), &large).unwrap();
        std::fs::write(file("clean"), "nothing").unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(outside.path(), "sk-canary-1").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), file("link")).unwrap();
        let redacted = redact(folder.path(), &["sk-canary-1".to_owned()]);
        assert_eq!(redacted.held, [Path::new("deep/large.bin")]);
        assert!(redacted.missed.is_empty(), "{redacted:?}");
        let after = std::fs::read(file("deep/large.bin")).unwrap();
        assert_eq!(&after[READ_BYTES - 3..], b"*********** and the rest");
        assert_eq!(after.len(), large.len());
        assert_eq!(std::fs::read_to_string(outside.path()).unwrap(), "sk-canary-1");
    }

    #[test]
    fn names_with_a_secret_are_replaced_and_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("of-sk-canary-1/deep");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("SK-CANARY-1.txt"), "sk-canary-1").unwrap();
        std::fs::write(inner.join("short-abc"), "nothing").unwrap();
        let redacted = redact(folder.path(), &["sk-canary-1".to_owned(), "abc".to_owned()]);
        assert!(redacted.missed.is_empty(), "{redacted:?}");
        assert_eq!(redacted.held, [Path::new("of-[secret]/deep/[secret].txt"), Path::new("of-[secret]")]);
        let inner = folder.path().join("[secret]-0/deep");
        assert_eq!(std::fs::read_to_string(inner.join("[secret]-1")).unwrap(), "*".repeat(11));
        assert!(inner.join("short-abc").exists());
    }

    proptest! {
        #[test]
        fn no_secret_is_left(text in "[ab]{0,60}", secrets in prop::collection::vec("[ab]{1,4}", 1..3)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("f");
            std::fs::write(&path, &text).unwrap();
            let redacted = redact(folder.path(), &secrets);
            prop_assert!(redacted.missed.is_empty());
            let after = std::fs::read_to_string(path).unwrap();
            prop_assert_eq!(after.len(), text.len());
            for secret in &secrets {
                prop_assert!(!after.contains(secret));
            }
            // Every star covers an occurrence.
            for (index, _) in after.match_indices('*') {
                let covered = secrets.iter().any(|secret| {
                    text.match_indices(secret.as_str()).any(|_| true) && (0..text.len()).any(|at| {
                        text[at..].starts_with(secret.as_str()) && (at..at + secret.len()).contains(&index)
                    })
                });
                prop_assert!(covered);
            }
        }
    }
}
