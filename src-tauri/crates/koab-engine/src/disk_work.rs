//! Work on files and databases, away from the threads of the async runtime.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Runs `work`, which may wait for a disk, while the other tasks of this thread move to another
/// thread. A runtime with one thread, as in tests, has no other, so its tasks wait.
///
/// The caller does not wait at an `await`: a kill or a cancel finds an attempt before the work or
/// after it, so that no reply of a model is lost between its arrival and the journal.
pub fn disk_work<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}
