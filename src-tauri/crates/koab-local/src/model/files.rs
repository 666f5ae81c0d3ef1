//! The files of a model that can be loaded.

use std::path::PathBuf;

/// The files of a model that can be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    /// The GGUF file, or the first of a split one.
    pub weights: PathBuf,
    /// The folder with `tokenizer.json` and the chat template. `None`: the GGUF's own.
    pub tokenizer: Option<PathBuf>,
}
