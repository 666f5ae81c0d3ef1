//! Lock of a run's folder: one process at a time works on it, and others learn which one.
//!
//! The lock is the operating system's, on the file `.lock` in the folder. It ends with the process,
//! however that ends, so a crash leaves nothing to clean up. The holder is recorded in a separate
//! file `.holder`, because on some systems a locked file cannot be read.

use crate::error::{Error, Result};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const LOCK: &str = ".lock";
const HOLDER: &str = ".holder";

/// Lock of a run's folder, held by this process until dropped.
#[derive(Debug)]
pub struct RunLock {
    file: File,
    holder: PathBuf,
}

/// Process that holds the lock of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// Process id.
    pub pid: u32,
    /// Time of locking, in seconds since the Unix epoch.
    pub since_s: u64,
}

impl RunLock {
    /// Locks the run.
    ///
    /// # Errors
    /// [`Error::Busy`] naming the holder, or when the disk refuses.
    pub fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK);
        let file = open(&path).map_err(|error| Error::io("write", &path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy(taken(folder))),
            // Some network drives have no locks, but runs must be possible there.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", &path, &error)),
        }
        let holder = folder.join(HOLDER);
        let me = LockHolder { pid: std::process::id(), since_s: now_s() };
        // Needed only for the message to other processes. A full disk is reported elsewhere.
        let _ = fs::write(&holder, serde_json::to_string(&me).unwrap_or_default());
        Ok(Self { file, holder })
    }

    /// Holder of the run's lock. `None` when it is not locked.
    pub fn holder(folder: &Path) -> Option<LockHolder> {
        // A folder without the file was never locked, and this look-up must not create it.
        let file = File::open(folder.join(LOCK)).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(read(folder).unwrap_or(LockHolder { pid: 0, since_s: 0 })),
            _ => None,
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Before unlocking: afterwards the file may belong to another process.
        let _ = fs::remove_file(&self.holder);
        let _ = self.file.unlock();
    }
}

fn open(path: &Path) -> io::Result<File> {
    // The file is never removed: if it were removed while another process opens it, two could lock.
    File::options().write(true).create(true).truncate(false).open(path)
}

fn read(folder: &Path) -> Option<LockHolder> {
    serde_json::from_slice(&fs::read(folder.join(HOLDER)).ok()?).ok()
}

fn taken(folder: &Path) -> Sentence {
    let shown = folder.display();
    match read(folder) {
        Some(holder) => say!(
            "{shown} is being written by process {}, which took it {}; wait until it is done or end that process",
            holder.pid,
            time_ago(now_s().saturating_sub(holder.since_s))
        ),
        None => say!("{shown} is being written by another process; wait until it is done"),
    }
}

fn time_ago(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s ago"),
        120..7200 => format!("{} min ago", seconds / 60),
        _ => format!("{} h ago", seconds / 3600),
    }
}

fn now_s() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_has_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(RunLock::holder(folder.path()), None);
        let lock = RunLock::take(folder.path()).expect("free");
        let error = RunLock::take(folder.path()).expect_err("taken").to_string();
        let pid = std::process::id();
        assert!(
            error.contains(&format!("is being written by process {pid}, which took it "))
                && error.contains(" s ago; wait"),
            "{error}"
        );
        assert_eq!(RunLock::holder(folder.path()).map(|holder| holder.pid), Some(pid));
        drop(lock);
        assert_eq!(RunLock::holder(folder.path()), None);
        // As a process that was killed leaves it.
        fs::write(folder.path().join(HOLDER), r#"{"pid": 1, "since_s": 2}"#).expect("written");
        assert_eq!(RunLock::holder(folder.path()), None, "a dead process holds nothing");
        drop(RunLock::take(folder.path()).expect("free again"));
        assert!(!folder.path().join(HOLDER).exists());
    }

    #[test]
    fn times_are_told_in_few_words() {
        for (seconds, words) in [(0, "0 s ago"), (119, "119 s ago"), (150, "2 min ago"), (7300, "2 h ago")] {
            assert_eq!(time_ago(seconds), words);
        }
    }
}
