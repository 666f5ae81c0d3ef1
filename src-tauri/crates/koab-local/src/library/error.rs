//! Why the library refuses.

use koab_core::sentence::{Sentence, ToSentence};
use std::path::Path;

/// What cannot be done with a model on this disk.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum LibraryError {
    /// No such model.
    #[error(
        "there is no model {name} on this disk; `koab models list` lists them, `koab models pull` fetches more"
    )]
    NotThere {
        /// What was asked for.
        name: String,
    },
    /// No such model, but one with a name like it.
    #[error("there is no model {name} on this disk; did you mean {near}?")]
    NotThereBut {
        /// What was asked for.
        name: String,
        /// A model that may be meant.
        near: String,
    },
    /// The name fits several.
    #[error("{name} has several models: {}; name one of them", .models.join(", "))]
    Several {
        /// What was asked for.
        name: String,
        /// The names that it may mean.
        models: Vec<String>,
    },
    /// A path that holds no model.
    #[error("{path} cannot be added: {why}")]
    NotAModel {
        /// The path.
        path: String,
        /// Why.
        why: Sentence,
    },
    /// The disk refuses.
    #[error("{path}: {why}")]
    Disk {
        /// Where.
        path: String,
        /// What the system says.
        why: Sentence,
    },
}

impl LibraryError {
    pub(super) fn disk(path: &Path) -> impl Fn(std::io::Error) -> Self + '_ {
        move |why| Self::Disk { path: path.display().to_string(), why: why.to_sentence() }
    }
}
