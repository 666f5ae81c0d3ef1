//! A model as the list shows it.

use super::Facts;
use koab_core::sentence::Sentence;
use std::path::PathBuf;

/// Format of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A Hugging Face folder, which must be converted before it can run.
    Safetensors,
    /// A GGUF file, which can run directly.
    Gguf,
}

/// Origin of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryOrigin {
    /// The cache shared with Hugging Face's tools.
    Hub {
        /// Name of the repository.
        repo: String,
        /// Commit of the files.
        commit: String,
        /// All commits with files in the cache. The entry's own commit is the first.
        commits: Vec<String>,
    },
    /// Only conversions of the model are left.
    Converted,
    /// A path that the user added.
    Added,
}

/// A model that is stored on this computer.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name after `local/`. It is the repository, followed by the file's name if the repository has
    /// several GGUF models.
    ///
    /// For an added path it is the name of the folder or file, or the full path if two have the
    /// same name.
    pub name: String,
    /// Format of the weights.
    pub kind: Kind,
    /// Origin of the model.
    pub origin: EntryOrigin,
    /// Path of the folder, or of the GGUF file (the first of a split model).
    pub path: PathBuf,
    /// Bytes on the disk, without conversions.
    pub bytes: u64,
    /// Facts from the model's files.
    pub facts: Facts,
    /// Conversions of the model, the most exact first.
    pub conversions: Vec<Conversion>,
    /// Reason why the model cannot be used, in one sentence; usually missing files.
    pub problem: Option<Sentence>,
}

/// A model that was converted to GGUF here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Name of the precision: `float32`, `float16`, `bfloat16`, `8bit`, `4bit`.
    pub precision: String,
    /// Path of the GGUF file.
    pub path: PathBuf,
    /// Bytes of the conversion's folder.
    pub bytes: u64,
    /// Revision of the source, if known.
    pub revision: Option<String>,
}
