//! Keys that an agent may repeat: taken out of all that it says before that leaves here, and of
//! what it leaves on the disk.

use koab_core::say;
use koab_core::secrets::Secrets;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What stands in the place of a secret, as in a console log.
const MASK: &str = "[secret]";
/// Letters of a secret at least. What is shorter is a word that stands for none, such as `none`,
/// and would be found in any text.
const LEAST: usize = 8;
/// Bytes of a file that are looked at at a time.
const PART: usize = 1 << 16;

/// Secrets of an attempt.
pub(crate) fn secrets_of<T: AsRef<str>>(keys: impl IntoIterator<Item = T>) -> Secrets {
    Secrets::new(MASK, LEAST, keys)
}

/// What an attempt with a model of its own leaves in its folder: its home, where programs keep
/// logins, and files with its keys. Gone when this is.
pub(crate) struct KeyFiles {
    folder: PathBuf,
    home: PathBuf,
    keys: Secrets,
}

impl KeyFiles {
    /// Those of an attempt in this folder, if it is given keys.
    pub(crate) fn for_attempt(folder: &Path, home: PathBuf, keys: &Secrets) -> Option<Self> {
        (!keys.is_empty()).then(|| Self { folder: folder.to_owned(), home, keys: keys.clone() })
    }

    /// Takes it away.
    ///
    /// # Errors
    /// When something stays.
    pub(crate) fn remove(&self) -> Result<(), Sentence> {
        let removed = if_there(fs::remove_dir_all(&self.home)).and_then(|_| self.remove_in(&self.folder));
        removed.map_err(|error| {
            say!(
                "what the agent left in {} may hold the key of its own model and cannot be removed: {error}",
                self.folder.display()
            )
        })
    }

    fn remove_in(&self, folder: &Path) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                self.remove_in(&path)?;
            } else if kind.is_file() && self.are_in(&path)? {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Whether a key is in a file, which may be of any size.
    fn are_in(&self, path: &Path) -> std::io::Result<bool> {
        let (mut file, mut part) = (File::open(path)?, vec![0; PART]);
        let mut search = self.keys.search();
        loop {
            match file.read(&mut part)? {
                0 => return Ok(false),
                read if search.finds(&part[..read]) => return Ok(true),
                _ => {}
            }
        }
    }
}

impl Drop for KeyFiles {
    fn drop(&mut self) {
        // An attempt that was broken off has nobody to tell.
        let _removed = self.remove();
    }
}

#[cfg(test)]
mod tests;
