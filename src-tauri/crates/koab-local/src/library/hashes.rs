//! SHA-256 of GGUF files, cached in `<models>/hashes.json`. Reading gigabytes takes seconds, so an
//! unchanged file is read only once.

use super::{Entry, Library};
use crate::gguf::{GgufError, parts_of};
use koab_engine::atomic::{self, Readers};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::time::SystemTime;

const LIST: &str = "hashes.json";
const PIECE_BYTES: usize = 1 << 20;

#[derive(Default, Serialize, Deserialize)]
struct List {
    files: Vec<HashedFile>,
}

/// A hashed file. A file whose size or date has changed is read again.
#[derive(Serialize, Deserialize)]
struct HashedFile {
    path: PathBuf,
    bytes: u64,
    modified: SystemTime,
    sha256: String,
}

impl Library {
    /// SHA-256 of a GGUF model; for a split model, over its parts one after another. `None` if
    /// `is_wanted` returns false meanwhile.
    ///
    /// # Errors
    /// When a file does not exist or cannot be read.
    pub fn sha256(&self, entry: &Entry, is_wanted: &dyn Fn() -> bool) -> Result<Option<String>, GgufError> {
        let parts = parts_of(&entry.path)?;
        let (mut bytes, mut modified) = (0, SystemTime::UNIX_EPOCH);
        for part in &parts {
            let facts = fs::metadata(part)?;
            bytes += facts.len();
            modified = modified.max(facts.modified()?);
        }
        let mut list = read(self);
        let is_as_then =
            |file: &&HashedFile| file.path == entry.path && file.bytes == bytes && file.modified == modified;
        if let Some(file) = list.files.iter().find(is_as_then) {
            return Ok(Some(file.sha256.clone()));
        }
        let Some(sha256) = hash(&parts, is_wanted)? else {
            return Ok(None);
        };
        list.files.retain(|file| file.path != entry.path && file.path.exists());
        list.files.push(HashedFile { path: entry.path.clone(), bytes, modified, sha256: sha256.clone() });
        // If the list cannot be written, the next run reads the files again.
        let _kept = write(self, &list);
        Ok(Some(sha256))
    }
}

fn hash(parts: &[PathBuf], is_wanted: &dyn Fn() -> bool) -> io::Result<Option<String>> {
    let mut sha256 = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    for part in parts {
        let mut file = File::open(part)?;
        loop {
            if !is_wanted() {
                return Ok(None);
            }
            let length = file.read(&mut piece)?;
            if length == 0 {
                break;
            }
            sha256.update(&piece[..length]);
        }
    }
    Ok(Some(hex::encode(sha256.finalize())))
}

fn list_path(library: &Library) -> PathBuf {
    library.models.join(LIST)
}

fn read(library: &Library) -> List {
    let text = fs::read(list_path(library)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

fn write(library: &Library, list: &List) -> io::Result<()> {
    fs::create_dir_all(&library.models)?;
    atomic::write(&list_path(library), Readers::Everyone, serde_json::to_string_pretty(list)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{EntryOrigin, Facts, Kind};

    fn entry(path: PathBuf) -> Entry {
        Entry {
            name: "model".to_owned(),
            kind: Kind::Gguf,
            origin: EntryOrigin::Added,
            path,
            bytes: 0,
            facts: Facts::default(),
            conversions: Vec::new(),
            problem: None,
        }
    }

    #[test]
    fn a_file_is_read_once_and_again_when_it_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::new(folder.path().join("hub"), folder.path().join("models"));
        let file = folder.path().join("model.gguf");
        fs::write(&file, "abc").expect("written");
        let entry = entry(file.clone());
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let sha256 = |is_wanted: bool| library.sha256(&entry, &|| is_wanted).expect("read");
        assert_eq!(sha256(false), None);
        assert_eq!(sha256(true).as_deref(), Some(abc));
        assert_eq!(sha256(false).as_deref(), Some(abc), "nothing is read");
        fs::write(&file, "abcd").expect("written");
        assert_eq!(sha256(false), None);
        assert_ne!(sha256(true).as_deref(), Some(abc));
    }

    #[test]
    fn the_parts_of_a_split_model_are_one_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::new(folder.path().join("hub"), folder.path().join("models"));
        let part = |number: u32| folder.path().join(format!("model-{number:05}-of-00002.gguf"));
        fs::write(part(1), "a").expect("written");
        let entry = entry(part(1));
        assert!(library.sha256(&entry, &|| true).is_err(), "a part is missing");
        fs::write(part(2), "bc").expect("written");
        let sha256 = library.sha256(&entry, &|| true).expect("read");
        assert!(sha256.is_some_and(|sha256| sha256.starts_with("ba7816bf")));
    }
}
