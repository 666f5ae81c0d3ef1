//! Errors of the library.

use koab_core::sentence::{Sentence, ToSentence};
use std::path::Path;

/// Reason why an operation of the library failed.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum LibraryError {
    /// There is no such model.
    #[error(
        "there is no model {name} on this disk; `koab models list` lists them, `koab models pull` fetches more"
    )]
    NotThere {
        /// Name that the caller searched for.
        name: String,
    },
    /// There is no such model, but one with a similar name.
    #[error("there is no model {name} on this disk; did you mean {near}?")]
    NotThereBut {
        /// Name that the caller searched for.
        name: String,
        /// Name of the similar model.
        near: String,
    },
    /// The name fits several models.
    #[error("{name} has several models: {}; name one of them", .models.join(", "))]
    Several {
        /// Name that the caller searched for.
        name: String,
        /// Names of the models that fit.
        models: Vec<String>,
    },
    /// The path contains no model.
    #[error("{path} cannot be added: {why}")]
    NotAModel {
        /// The path.
        path: String,
        /// Reason.
        why: Sentence,
    },
    /// The file system reports an error.
    #[error("{path}: {why}")]
    Disk {
        /// Path of the file or folder.
        path: String,
        /// Error of the operating system.
        why: Sentence,
    },
}

impl LibraryError {
    pub(super) fn disk(path: &Path) -> impl Fn(std::io::Error) -> Self + '_ {
        move |why| Self::Disk { path: path.display().to_string(), why: why.to_sentence() }
    }
}
