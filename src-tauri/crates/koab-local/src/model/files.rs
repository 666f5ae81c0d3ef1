//! Files of a model that can be loaded.

use std::path::PathBuf;

/// Files of a model that can be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFiles {
    /// Path of the GGUF file, or of the first one of a split model.
    pub weights: PathBuf,
    /// Folder with `tokenizer.json` and the chat template. `None` means those in the GGUF file.
    pub tokenizer: Option<PathBuf>,
}
