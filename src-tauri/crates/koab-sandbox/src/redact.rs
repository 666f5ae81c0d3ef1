//! Removes secrets from the files that a scenario left: what a scenario can read it can also write
//! down.
//!
//! Each occurrence is overwritten in place by as many stars, so that the files of a database stay
//! readable. A secret that a scenario packed or encrypted is not found.

use koab_core::secrets::Secrets;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::folder_walk::{FolderEntry, WalkError, walk};

/// Read at a time.
const CHUNK: usize = 1 << 20;

/// The outcome of the secrets in a folder.
#[derive(Debug, Default)]
pub struct Redacted {
    /// Files that held one, from the folder on.
    pub held: Vec<PathBuf>,
    /// What could not be searched or written, from the folder on, and why: a secret may be left in
    /// it.
    pub missed: Vec<WalkError>,
}

/// Overwrites these secrets in every file under a folder. Links are not followed.
#[must_use]
pub fn redact(folder: &Path, secrets: &[String]) -> Redacted {
    let secrets = Secrets::new("", 1, secrets);
    let mut held = Vec::new();
    if secrets.is_empty() {
        return Redacted::default();
    }
    let missed = walk(folder, &mut |found| {
        if found.is_file && redact_file(found, &secrets)? {
            held.push(found.path());
        }
        Ok(())
    });
    Redacted { held, missed }
}

fn redact_file(place: &FolderEntry<'_>, secrets: &Secrets) -> std::io::Result<bool> {
    let mut file = place.open(false)?;
    // What is left running could make it longer for ever.
    let end = file.metadata()?.len();
    let overlap = secrets.longest().saturating_sub(1);
    let mut found: Vec<(u64, usize)> = Vec::new();
    let mut window: Vec<u8> = Vec::with_capacity(CHUNK + overlap);
    // Where the window begins.
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
        let read = (&mut file).take(CHUNK as u64).read_to_end(&mut window)?;
        if read == 0 {
            break;
        }
        let places = secrets.places(&window).into_iter();
        found.extend(places.map(|(at, length)| (start + at as u64, length)));
        let keep = overlap.min(window.len());
        start += (window.len() - keep) as u64;
        window.drain(..window.len() - keep);
    }
    if found.is_empty() {
        return Ok(false);
    }
    let mut file = place.open(true)?;
    for (offset, length) in found {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&vec![b'*'; length])?;
    }
    file.sync_all()?;
    Ok(true)
}

/// The first byte from a place on that was ever written; `None` where nothing follows. A file of
/// terabytes may hold none, and would be read for hours.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn written_from(file: &File, at: u64) -> std::io::Result<Option<u64>> {
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Data(at)) {
        Ok(next) => Ok(Some(next)),
        Err(rustix::io::Errno::NXIO) => Ok(None),
        // Not every file system knows.
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

    use super::{CHUNK, redact};

    #[test]
    fn secrets_go_wherever_they_lie_and_nothing_else_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(file("deep")).unwrap();
        let mut large = vec![b'x'; CHUNK - 3];
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
        assert_eq!(&after[CHUNK - 3..], b"*********** and the rest");
        assert_eq!(after.len(), large.len());
        assert_eq!(std::fs::read_to_string(outside.path()).unwrap(), "sk-canary-1");
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
