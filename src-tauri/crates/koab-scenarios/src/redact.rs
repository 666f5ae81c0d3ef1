//! Removes secrets from the files of a scenario. A scenario can write every secret that it can read
//! into its files.
//!
//! Each secret is overwritten by stars of the same length, so that database files stay readable. A
//! secret that is cut into the items of a list is found in JSON and in lines of JSON of up to
//! 16 MiB, which are then written anew. Secrets that a scenario compressed or encrypted are not
//! found.

use koab_core::secrets::Secrets;
use serde_json::Value;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::folder_walk::{FolderEntry, WalkError, walk};

/// Name of a renamed entry, and replacement for secrets in the paths of messages.
const MASK: &str = "[secret]";
/// Minimum length of a secret in bytes that is searched in names. Shorter values occur by chance.
const MIN_BYTES_IN_NAMES: usize = 8;
/// Maximum size of a file in bytes that is searched for pieces of secrets.
const MAX_JSON_BYTES: u64 = 16 << 20;
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
    let long = Secrets::new(MASK, MIN_BYTES_IN_NAMES, secrets);
    let secrets = Secrets::new("", 1, secrets);
    let (mut files, mut named) = (Vec::new(), Vec::new());
    if secrets.is_empty() {
        return Redacted::default();
    }
    let mut missed = walk(folder, &mut |entry| {
        let is_held = if entry.is_file { redact_file(entry, &secrets, &long) } else { Ok(false) };
        if long.are_in(entry.name().as_encoded_bytes()) {
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
    let masked = |path: PathBuf| PathBuf::from(long.text(&path.to_string_lossy()));
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

/// Returns whether the file contained a secret. `long` are the secrets that are searched in pieces.
fn redact_file(place: &FolderEntry<'_>, secrets: &Secrets, long: &Secrets) -> std::io::Result<bool> {
    // First, since a piece that is masked alone hides the whole from the search.
    let had_pieces = redact_pieces(place, long)?;
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
        return Ok(had_pieces);
    }
    let mut file = place.open(true)?;
    for (offset, length) in occurrences {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(&vec![b'*'; length])?;
    }
    file.sync_all()?;
    Ok(true)
}

/// Writes a JSON file, or a file of JSON lines, without secrets that are cut into the items of a
/// list. Returns whether there were any.
fn redact_pieces(place: &FolderEntry<'_>, secrets: &Secrets) -> std::io::Result<bool> {
    let file = place.open(false)?;
    if secrets.is_empty() || file.metadata()?.len() > MAX_JSON_BYTES {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.take(MAX_JSON_BYTES).read_to_end(&mut bytes)?;
    let Some(text) = without_pieces(&bytes, secrets) else {
        return Ok(false);
    };
    let mut file = place.open(true)?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()?;
    Ok(true)
}

/// JSON, or lines of JSON, without secrets that are cut into the items of a list; `None` for data
/// without such secrets, and for data that is not JSON.
fn without_pieces(bytes: &[u8], secrets: &Secrets) -> Option<String> {
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        let masked = secrets.without_pieces(value.clone());
        return (masked != value).then(|| masked.to_string());
    }
    let lines = serde_json::Deserializer::from_slice(bytes).into_iter();
    let lines = Value::Array(lines.collect::<Result<_, _>>().ok()?);
    let masked = secrets.without_pieces(lines.clone());
    let text = |line: &Value| format!("{line}\n");
    (masked != lines).then(|| masked.as_array().into_iter().flatten().map(text).collect())
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

    #[test]
    fn a_secret_in_pieces_of_json_is_masked_and_other_json_is_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let cases = [
            ("list.json", r#"{"chunks": ["sk-CaNaRy/7+q&", "Z1-Hb3Wm9xLpTd5 end"], "n": 1}"#),
            ("lines.jsonl", "{\"delta\": \"a sk-CaNaRy/7+\"}\n{\"delta\": \"q&Z1-Hb3Wm9xLpTd5\"}\n"),
            ("other.json", r#"{ "chunks": ["sk-Other/", "key"],  "n": 1.50 }"#),
        ];
        for (name, text) in cases {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let redacted = redact(folder.path(), &["sk-CaNaRy/7+q&Z1-Hb3Wm9xLpTd5".to_owned()]);
        assert!(redacted.missed.is_empty(), "{redacted:?}");
        let mut held = redacted.held;
        held.sort();
        assert_eq!(held, [Path::new("lines.jsonl"), Path::new("list.json")]);
        let after = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(after("list.json"), r#"{"chunks":["[secret]"," end"],"n":1}"#);
        assert_eq!(after("lines.jsonl"), "{\"delta\":\"a [secret]\"}\n{\"delta\":\"\"}\n");
        assert_eq!(after("other.json"), cases[2].1);
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
