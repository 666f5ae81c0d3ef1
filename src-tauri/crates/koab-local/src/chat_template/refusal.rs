//! Sentences of ours within the template engine's errors.

use koab_core::sentence::Sentence;
use minijinja::{Error, ErrorKind};

/// A sentence of ours as an error of the engine; [`words`] finds it again.
pub(super) fn refused(kind: ErrorKind, why: Sentence) -> Error {
    Error::new(kind, why.to_string()).with_source(why)
}

/// What an error says, without its kind.
pub(super) fn words(error: &Error) -> Sentence {
    let ours = std::error::Error::source(error).and_then(|source| source.downcast_ref::<Sentence>());
    match (ours, error.detail()) {
        (Some(ours), _) => ours.clone(),
        (None, Some(detail)) => detail.into(),
        (None, None) => error.kind().to_string().into(),
    }
}
