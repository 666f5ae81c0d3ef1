//! Work on files and databases, away from the threads of the async runtime.

use crate::ports::StoreError;
use koab_core::say;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{block_in_place, spawn_blocking};

/// Runs `work` on a thread that may wait for a disk. The work is done even if the caller no longer
/// waits for it.
///
/// # Errors
/// The errors of `work`, and a panic in it.
pub(crate) async fn disk_work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    spawn_blocking(work).await.unwrap_or_else(|panic| {
        Err(StoreError(say!(
            "stored responses could not be read or written, by a fault of this program: {panic}"
        )))
    })
}

/// Runs `work`, which borrows from its caller, while other tasks of this thread move to another
/// thread. A runtime with one thread, as in tests, has no other, so its tasks wait.
pub(crate) fn disk_work_in_place<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}
