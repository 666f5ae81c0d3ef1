//! This program's own sentences within errors of the template engine.

use koab_core::sentence::Sentence;
use minijinja::{Error, ErrorKind};

/// Wraps a sentence into an error of the engine; [`words`] extracts it again.
pub(super) fn refused(kind: ErrorKind, why: Sentence) -> Error {
    Error::new(kind, why.to_string()).with_source(why)
}

/// Message of an error, without its kind.
pub(super) fn words(error: &Error) -> Sentence {
    let ours = std::error::Error::source(error).and_then(|source| source.downcast_ref::<Sentence>());
    match (ours, error.detail()) {
        (Some(ours), _) => ours.clone(),
        (None, Some(detail)) => detail.into(),
        (None, None) => error.kind().to_string().into(),
    }
}
