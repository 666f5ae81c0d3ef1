//! What was read a moment ago: going back to a report, or walking through a run's tasks, must not
//! read its files anew at each step.

use crate::error::WireError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

/// The last few files or folders of one kind, read.
///
/// By hand, since `quick_cache` keeps what was used often: full of one run's logs, it reads those
/// of the next run anew at each step.
pub struct Recent<T> {
    most: usize,
    /// The one used last stands last.
    kept: Mutex<Vec<Entry<T>>>,
}

struct Entry<T> {
    path: PathBuf,
    stamp: String,
    value: Slot<T>,
}

/// Filled by whoever asks first; who asks meanwhile waits for that instead of reading it as well.
type Slot<T> = Arc<Mutex<Option<Arc<T>>>>;

impl<T> Recent<T> {
    /// Keeps so many.
    pub fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    /// The file as it is now: the kept one while it is unchanged, else read again.
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

    /// What `read` makes of a path in the state that `stamp` names.
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
        let known = all.iter().position(|kept| kept.path == path);
        let kept = known.map(|at| all.remove(at)).filter(|kept| kept.stamp == stamp);
        let kept = kept.unwrap_or_else(|| Entry { path: path.to_owned(), stamp, value: Slot::default() });
        let slot = kept.value.clone();
        all.push(kept);
        let over = all.len().saturating_sub(self.most);
        all.drain(..over);
        slot
    }
}

/// Size and time of a file; another text means that it was written.
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
