//! File and database work on threads of its own.

use crate::WireError;

/// Runs `work` on a thread that may wait for a disk, so that the threads of the async runtime never
/// do.
///
/// # Errors
/// The errors of `work`.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, WireError> + Send + 'static,
) -> Result<T, WireError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| WireError::internal(error.to_string()))?
}
