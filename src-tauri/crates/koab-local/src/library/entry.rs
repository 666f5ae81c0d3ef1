//! One model as the list shows it.

use super::Facts;
use koab_core::sentence::Sentence;
use std::path::PathBuf;

/// What the weights are kept as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A Hugging Face folder; has to be converted before it can run.
    Safetensors,
    /// A GGUF file, which runs as it is.
    Gguf,
}

/// Where a model comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryOrigin {
    /// The cache that Hugging Face's tools share.
    Hub {
        /// The repository.
        repo: String,
        /// The commit whose files these are.
        commit: String,
        /// All commits of which something is there, this one first.
        commits: Vec<String>,
    },
    /// Only what was converted is left of it.
    Converted,
    /// A path that somebody named.
    Added,
}

/// A model on this disk.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name behind `local/`: the repository, with the file's name behind it where a repository
    /// has several GGUF models; the name of an added folder or file, or its full path where two
    /// have one name.
    pub name: String,
    /// What the weights are kept as.
    pub kind: Kind,
    /// Where it comes from.
    pub origin: EntryOrigin,
    /// The folder, or the GGUF file (the first of a split one).
    pub path: PathBuf,
    /// Bytes on the disk, conversions left out.
    pub bytes: u64,
    /// What its files say of it.
    pub facts: Facts,
    /// What was made of it, the most exact first.
    pub conversions: Vec<Conversion>,
    /// Why it cannot be used, in one sentence; files that are missing, most often.
    pub problem: Option<Sentence>,
}

/// A model that was converted to GGUF here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Its precision: `float32`, `float16`, `bfloat16`, `8bit`, `4bit`.
    pub precision: String,
    /// The GGUF file.
    pub path: PathBuf,
    /// Bytes of its folder.
    pub bytes: u64,
    /// The revision that it was made of, where that is known.
    pub revision: Option<String>,
}
