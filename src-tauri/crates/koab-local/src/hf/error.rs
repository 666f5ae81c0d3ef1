//! Why a folder cannot be used as a model. Each is one sentence that says where, what, and what to
//! do.

use koab_core::sentence::Sentence;
use std::path::PathBuf;

/// Why a folder cannot be used as a model.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum FolderError {
    /// The path is something else.
    #[error("{0} is not a folder; name the folder that holds the model's config.json")]
    NotAFolder(PathBuf),
    /// A file that every model has is not there.
    #[error("{folder} has no {file}; {advice}")]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The file's name.
        file: String,
        /// What to do.
        advice: Sentence,
    },
    /// The disk refused.
    #[error("{file} cannot be read: {source}")]
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// What the disk said.
        source: std::io::Error,
    },
    /// Not JSON, or not of the form it should have.
    #[error("{file} is not what it should be: {reason}; load it again")]
    Json {
        /// The file's name.
        file: String,
        /// Where and what.
        reason: Sentence,
    },
    /// A setting that the model cannot be without.
    #[error("config.json does not say {field}, {what}")]
    Unsaid {
        /// Its name.
        field: &'static str,
        /// What it is.
        what: Sentence,
    },
    /// A setting of the wrong type or size.
    #[error("config.json: {field} is {found}, which is not {expected}")]
    Value {
        /// Its name.
        field: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: Sentence,
    },
    /// An architecture that the converter does not know.
    #[error(
        "models of the architecture {found} cannot be converted here (those of {} can); look for a repository of this model \
         whose name ends in GGUF and use its files",
        super::Architecture::list()
    )]
    Architecture {
        /// What config.json says.
        found: String,
    },
    /// A setting that llama.cpp would not follow, or not as the model means it.
    #[error("config.json: {field} is {found}, and {why}; look for a GGUF file of this model")]
    Unsupported {
        /// Its name.
        field: String,
        /// What stands there.
        found: Sentence,
        /// Why that cannot be followed.
        why: Sentence,
    },
    /// Weights that are numbers of another kind of file.
    #[error(
        "{folder} has no safetensors file, only {file}; look for a repository of this model with safetensors or GGUF"
    )]
    OtherWeights {
        /// The folder.
        folder: PathBuf,
        /// The file that is there.
        file: String,
    },
    /// A file of the index is not there.
    #[error("{shard} is missing (model.safetensors.index.json names it); load the rest of the model")]
    MissingShard {
        /// The file's name.
        shard: String,
    },
    /// A file of weights ends too early or too late.
    #[error(
        "{shard} has {found} bytes and should have {expected} by its own header; it was not loaded to the end or is damaged: load it again"
    )]
    Truncated {
        /// The file's name.
        shard: String,
        /// Its size.
        found: u64,
        /// The size by its header.
        expected: u64,
    },
    /// A file of weights whose header cannot be read.
    #[error("{shard} is not a sound safetensors file: {reason}; load it again")]
    Header {
        /// The file's name.
        shard: String,
        /// What is wrong.
        reason: Sentence,
    },
    /// A tensor that the architecture has and the files do not.
    #[error(
        "tensor {tensor} is in none of the model's files, and {architecture} needs it; load the model again"
    )]
    MissingTensor {
        /// Its name.
        tensor: String,
        /// The architecture.
        architecture: &'static str,
    },
    /// The index says one file, another one has it.
    #[error(
        "model.safetensors.index.json says that {tensor} is in {shard}, where it is not; load the model again"
    )]
    NotInShard {
        /// The tensor.
        tensor: String,
        /// The file.
        shard: String,
    },
    /// Two files with one tensor.
    #[error("tensor {tensor} is in {first} and in {second}; keep one of the files")]
    Twice {
        /// The tensor.
        tensor: String,
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
    /// A tensor that config.json does not fit.
    #[error(
        "tensor {tensor} in {shard} has the shape {found:?}, by config.json it should be {expected:?}; config.json and weights are of different models"
    )]
    Shape {
        /// Its name.
        tensor: String,
        /// The file.
        shard: String,
        /// Its shape.
        found: Vec<u64>,
        /// The shape by config.json.
        expected: Vec<u64>,
    },
    /// A tensor stored in a way that is not read.
    #[error(
        "tensor {tensor} in {shard} is stored as {found}; F32, F16 and BF16 can be converted: take the repository that was not quantized, or a GGUF file"
    )]
    Dtype {
        /// Its name.
        tensor: String,
        /// The file.
        shard: String,
        /// How it is stored.
        found: String,
    },
    /// A tensor that the architecture does not have.
    #[error(
        "tensor {tensor} in {shard} is none that {architecture} has: this is another kind of model than config.json says; look for a GGUF file of it"
    )]
    Unknown {
        /// Its name.
        tensor: String,
        /// The file.
        shard: String,
        /// The architecture.
        architecture: &'static str,
    },
}
