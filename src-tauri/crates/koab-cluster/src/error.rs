//! Errors of cluster engines, one sentence each.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::path::Path;

/// An error of a cluster engine.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum ClusterError {
    /// The engine, a shard or a log is missing, or the engine does not answer.
    #[error("{0}")]
    Missing(Sentence),
    /// The request is invalid.
    #[error("{0}")]
    BadRequest(Sentence),
    /// The engine refused the request.
    #[error("{0}")]
    Refused(Sentence),
    /// A file cannot be read or written.
    #[error("{0}")]
    Disk(Sentence),
}

impl ClusterError {
    pub(crate) fn disk(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk(say!("{} cannot be written or read: {error}", path.display()))
    }
}
