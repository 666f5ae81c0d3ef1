//! Encrypted file of keys, for machines without a keychain: JSON, encrypted with a passphrase in
//! the age format (scrypt).
//!
//! The file is created only on the user's request. A second file lists the names in clear text, so
//! that koab can look for a key without asking for the passphrase; names are not secret. Any tool
//! for age can open the file.

use age::secrecy::SecretString;
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_engine::atomic::{self, Readers};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Values of keys, by name.
pub(crate) type Values = BTreeMap<String, Sensitive<String>>;

/// Work factor of new files: log2 of scrypt's N. 17 takes 128 MiB and some tenths of a second. It
/// is the minimum in OWASP's password storage guide.
const WORK_FACTOR: u8 = 17;
/// Maximum work factor of a file that koab opens. The file may have been made on another machine; a
/// higher factor would take too much time and memory.
const MAX_WORK_FACTOR: u8 = 20;

/// Error when the file is opened or written.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub(crate) enum FileError {
    /// The passphrase does not belong to this file.
    #[error("the passphrase does not open {0}; try again, or delete the file and store the keys anew")]
    WrongPassphrase(String),
    /// The file is damaged, or is not a file of keys.
    #[error("{path} is damaged or is not a file of keys ({cause}); delete it and store the keys anew")]
    Damaged {
        /// Path of the file.
        path: String,
        /// Description of the damage.
        cause: Sentence,
    },
    /// The file cannot be read or written.
    #[error("{path} cannot be {verb}: {cause}")]
    Disk {
        /// Path of the file.
        path: String,
        /// `read` or `written`.
        verb: &'static str,
        /// Error message of the operating system.
        cause: io::Error,
    },
}

/// File of keys in one workspace.
#[derive(Clone, Debug)]
pub(crate) struct KeysFile(PathBuf);

impl KeysFile {
    /// The file of keys in a workspace folder. The file need not exist.
    pub(crate) fn in_home(home: &Path) -> Self {
        Self(home.join("keys.age"))
    }

    /// Path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Whether the file exists.
    pub(crate) fn exists(&self) -> bool {
        self.0.is_file()
    }

    /// Names of the stored keys, from the list of names. Empty when there is no file of keys;
    /// `None` when there is one without a readable list.
    pub(crate) fn names(&self) -> Option<BTreeSet<String>> {
        if !self.exists() {
            return Some(BTreeSet::new());
        }
        let text = fs::read_to_string(self.list()).ok()?;
        Some(text.lines().map(str::to_owned).collect())
    }

    /// Decrypts the file. Takes about half a second and blocks.
    ///
    /// # Errors
    /// When the passphrase is wrong, the file is damaged, or the disk refuses.
    pub(crate) fn open(&self, passphrase: &Sensitive<String>) -> Result<Values, FileError> {
        let path = || self.0.display().to_string();
        let damaged = |cause: &str| FileError::Damaged { path: path(), cause: cause.into() };
        let sealed =
            fs::read(&self.0).map_err(|cause| FileError::Disk { path: path(), verb: "read", cause })?;
        let mut identity = age::scrypt::Identity::new(secret(passphrase));
        identity.set_max_work_factor(MAX_WORK_FACTOR);
        let plain = age::decrypt(&identity, &sealed).map_err(|error| match error {
            age::DecryptError::DecryptionFailed | age::DecryptError::KeyDecryptionFailed => {
                FileError::WrongPassphrase(path())
            }
            age::DecryptError::NoMatchingKeys => damaged("it is not encrypted with a passphrase"),
            age::DecryptError::ExcessiveWork { .. } => damaged("its work factor is beyond all measure"),
            other => damaged(&other.to_string()),
        })?;
        // The parser's message would quote the content.
        let keys: BTreeMap<String, String> =
            serde_json::from_slice(&plain).map_err(|_| damaged("its content is not a list of keys"))?;
        Ok(keys.into_iter().map(|(name, value)| (name, Sensitive::new(value))).collect())
    }

    /// Replaces the file, or removes it when no key is left. Takes about half a second and blocks.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn write(&self, keys: &Values, passphrase: &Sensitive<String>) -> Result<(), FileError> {
        self.write_with(keys, passphrase, WORK_FACTOR).map_err(|cause| FileError::Disk {
            path: self.0.display().to_string(),
            verb: "written",
            cause,
        })
    }

    fn write_with(&self, keys: &Values, passphrase: &Sensitive<String>, work: u8) -> io::Result<()> {
        if keys.is_empty() {
            for path in [self.0.clone(), self.list()] {
                match fs::remove_file(path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            return Ok(());
        }
        let plain: BTreeMap<&str, &str> =
            keys.iter().map(|(name, value)| (name.as_str(), value.expose().as_str())).collect();
        let plain = serde_json::to_vec(&plain).map_err(io::Error::other)?;
        let mut recipient = age::scrypt::Recipient::new(secret(passphrase));
        recipient.set_work_factor(work);
        let sealed = age::encrypt(&recipient, &plain).map_err(|error| io::Error::other(error.to_string()))?;
        let names: String = keys.keys().map(|name| format!("{name}\n")).collect();
        // The list is removed first: a list without its file would name missing keys, but a file
        // without its list only costs a question for the passphrase.
        let _ = fs::remove_file(self.list());
        fs::create_dir_all(self.0.parent().unwrap_or(Path::new(".")))?;
        atomic::write(&self.0, Readers::Owner, sealed)?;
        atomic::write(&self.list(), Readers::Owner, names)
    }

    fn list(&self) -> PathBuf {
        self.0.with_extension("age.names")
    }
}

fn secret(passphrase: &Sensitive<String>) -> SecretString {
    SecretString::from(passphrase.expose().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(pairs: &[(&str, &str)]) -> Values {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), Sensitive::new((*value).to_owned()))).collect()
    }

    fn word(text: &str) -> Sensitive<String> {
        Sensitive::new(text.to_owned())
    }

    #[test]
    fn only_its_passphrase_opens_it_and_nothing_in_it_can_be_read() {
        let home = tempfile::tempdir().expect("a folder");
        let file = KeysFile::in_home(home.path());
        assert!(!file.exists() && file.names().expect("none").is_empty());
        let kept = keys(&[("A_KEY", "canary-1"), ("B_KEY", "canary-2")]);
        file.write_with(&kept, &word("right"), 4).expect("written");
        assert_eq!(file.open(&word("right")).expect("opened"), kept);
        let wrong = file.open(&word("wrong")).expect_err("refused");
        assert!(matches!(wrong, FileError::WrongPassphrase(_)), "{wrong}");
        for entry in fs::read_dir(home.path()).expect("listed").flatten() {
            let bytes = fs::read(entry.path()).expect("read");
            assert!(!bytes.windows(6).any(|part| part == b"canary"), "{entry:?}");
        }
        let names: Vec<String> = file.names().expect("a list").into_iter().collect();
        assert_eq!(names, ["A_KEY", "B_KEY"]);
        file.write_with(&Values::new(), &word("right"), 4).expect("removed");
        assert_eq!(fs::read_dir(home.path()).expect("listed").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().expect("a folder");
        let file = KeysFile::in_home(home.path());
        file.write_with(&keys(&[("A", "1")]), &word("w"), 4).expect("written");
        let mode = fs::metadata(file.path()).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_damaged_file_is_said_to_be_damaged() {
        let home = tempfile::tempdir().expect("a folder");
        let file = KeysFile::in_home(home.path());
        fs::write(file.path(), "no age file").expect("written");
        assert!(matches!(file.open(&word("w")), Err(FileError::Damaged { .. })));
        assert!(file.names().is_none(), "a file without its list may hold anything");
        file.write_with(&keys(&[("A", "1")]), &word("w"), 4).expect("written");
        let whole = fs::read(file.path()).expect("read");
        for cut in [0, 10, whole.len() / 2, whole.len() - 1] {
            fs::write(file.path(), &whole[..cut]).expect("cut");
            let error = file.open(&word("w")).expect_err("a part is not a file");
            assert!(error.to_string().contains("keys.age"), "{error}");
        }
    }
}
