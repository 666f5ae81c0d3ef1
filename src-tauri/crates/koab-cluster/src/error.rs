//! Why an engine does not do what it is asked for, one sentence each.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::path::Path;

/// Why an engine does not do what it is asked for.
#[derive(Clone, Debug, thiserror::Error, koab_core::Say)]
pub enum ClusterError {
    /// The engine is not there, or does not answer.
    #[error("{0}")]
    Missing(Sentence),
    /// It was asked in a way that makes no sense.
    #[error("{0}")]
    BadRequest(Sentence),
    /// The engine said no.
    #[error("{0}")]
    Refused(Sentence),
    /// The disk refuses.
    #[error("{0}")]
    Disk(Sentence),
}

impl ClusterError {
    pub(crate) fn disk(path: &Path, error: &std::io::Error) -> Self {
        Self::Disk(say!("{} cannot be written or read: {error}", path.display()))
    }
}
