//! Cache of recently read files, so that going back to a report or through a run's tasks does not
//! read the same files again.

use crate::error::WireError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

/// Last few files or folders of one kind, in parsed form.
///
/// `quick_cache` is unsuitable because it keeps frequently used entries: filled with one run's
/// logs, it would read the next run's logs again at each step.
pub struct Recent<T> {
    most: usize,
    /// Cached entries, the most recently used last.
    kept: Mutex<Vec<Entry<T>>>,
}

struct Entry<T> {
    path: PathBuf,
    stamp: String,
    value: Slot<T>,
}

/// Place for a value of the cache. The first reader fills it; readers that come meanwhile wait and
/// do not read the file too.
type Slot<T> = Arc<Mutex<Option<Arc<T>>>>;

impl<T> Recent<T> {
    /// Makes a cache of at most `most` entries.
    pub fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    /// Content of a file. It is read again only when the file has changed.
    pub fn file(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<T, WireError>,
    ) -> Result<Arc<T>, WireError> {
        let Some(stamp) = stamp(path) else {
            return read().map(Arc::new);
        };
        self.get(path, stamp, read)
    }

    /// Value that `read` returns for a path. The value is cached as long as `stamp` is the same.
    pub fn get(
        &self,
        path: &Path,
        stamp: String,
        read: impl FnOnce() -> Result<T, WireError>,
    ) -> Result<Arc<T>, WireError> {
        let slot = self.slot(path, stamp);
        let mut value = locked(&slot);
        if let Some(value) = &*value {
            return Ok(value.clone());
        }
        let read = Arc::new(read()?);
        *value = Some(read.clone());
        Ok(read)
    }

    fn slot(&self, path: &Path, stamp: String) -> Slot<T> {
        let mut all = locked(&self.kept);
        let position = all.iter().position(|entry| entry.path == path);
        let entry = position.map(|at| all.remove(at)).filter(|entry| entry.stamp == stamp);
        let entry = entry.unwrap_or_else(|| Entry { path: path.to_owned(), stamp, value: Slot::default() });
        let slot = entry.value.clone();
        all.push(entry);
        let over = all.len().saturating_sub(self.most);
        all.drain(..over);
        slot
    }
}

/// Size and modification time of a file as one text. A changed text means that the file was
/// written.
fn stamp(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    let since = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{}:{}", about.len(), since.as_nanos()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn a_file_is_read_once_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (recent, reads) = (Recent::new(2), AtomicUsize::new(0));
        let get = |name: &str| {
            let path = path(name);
            let read = || {
                reads.fetch_add(1, SeqCst);
                Ok(std::fs::read_to_string(&path).unwrap())
            };
            recent.file(&path, read).unwrap().to_string()
        };
        for name in ["a", "b", "c"] {
            std::fs::write(path(name), name).unwrap();
        }
        assert_eq!([get("a"), get("a"), get("b")], ["a", "a", "b"]);
        assert_eq!(reads.load(SeqCst), 2);
        std::fs::write(path("a"), "another").unwrap();
        assert_eq!(get("a"), "another");
        // The third one pushes out what was used longest ago.
        get("c");
        get("a");
        assert_eq!(reads.load(SeqCst), 4);
        get("b");
        assert_eq!(reads.load(SeqCst), 5);
    }

    #[test]
    fn who_asks_while_it_is_read_waits_and_a_failure_is_tried_again() {
        let (recent, reads) = (Recent::new(2), AtomicUsize::new(0));
        let get = |read: &dyn Fn() -> Result<(), WireError>| {
            recent.get(Path::new("x"), "1".to_owned(), || {
                read()?;
                Ok(reads.fetch_add(1, SeqCst))
            })
        };
        get(&|| Err(WireError::storage("the disk is gone"))).unwrap_err();
        let reading = Barrier::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                get(&|| {
                    reading.wait();
                    Ok(())
                })
            });
            reading.wait();
            assert_eq!(*get(&|| Ok(())).unwrap(), 0, "what the other one read");
        });
        assert_eq!(reads.load(SeqCst), 1);
    }
}
