//! Errors of model folders. Each is one sentence with the place, the fault and the remedy.

use koab_core::sentence::Sentence;
use std::path::PathBuf;

/// Reason why a folder cannot be used as a model.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum FolderError {
    /// The path is not a folder.
    #[error("{0} is not a folder; name the folder that holds the model's config.json")]
    NotAFolder(PathBuf),
    /// A required file is missing.
    #[error("{folder} has no {file}; {advice}")]
    Missing {
        /// Path of the folder.
        folder: PathBuf,
        /// Name of the file.
        file: String,
        /// Remedy.
        advice: Sentence,
    },
    /// A file cannot be read.
    #[error("{file} cannot be read: {source}")]
    Unreadable {
        /// Path of the file.
        file: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A file is not JSON, or does not have the expected form.
    #[error("{file} is not valid: {reason}; fetch it again")]
    Json {
        /// Name of the file.
        file: String,
        /// Place and fault.
        reason: Sentence,
    },
    /// A required setting is missing.
    #[error("config.json does not say {field}, {what}")]
    Unsaid {
        /// Name of the field.
        field: &'static str,
        /// Meaning of the field.
        what: Sentence,
    },
    /// A setting has the wrong type or size.
    #[error("config.json: {field} is {found}, which is not {expected}")]
    Value {
        /// Name of the field.
        field: String,
        /// Value in the file.
        found: String,
        /// Expected value.
        expected: Sentence,
    },
    /// The converter does not support the architecture.
    #[error(
        "models of the architecture {found} cannot be converted here (those of {} can); look for a repository of this model \
         whose name ends in GGUF and use its files",
        super::Architecture::list()
    )]
    Architecture {
        /// Architecture in config.json.
        found: String,
    },
    /// llama.cpp does not support a setting, or computes it differently.
    #[error("config.json: {field} is {found}, and {why}; look for a GGUF file of this model")]
    Unsupported {
        /// Name of the field.
        field: String,
        /// Value in the file.
        found: Sentence,
        /// Reason why the setting is not supported.
        why: Sentence,
    },
    /// The weights are in another file format.
    #[error(
        "{folder} has no safetensors file, only {file}; look for a repository of this model with safetensors or GGUF"
    )]
    OtherWeights {
        /// Path of the folder.
        folder: PathBuf,
        /// Name of the weights file that was found.
        file: String,
    },
    /// A file of the index is missing.
    #[error("{shard} is missing (model.safetensors.index.json names it); fetch the rest of the model")]
    MissingShard {
        /// Name of the file.
        shard: String,
    },
    /// A weights file is shorter or longer than its header says.
    #[error(
        "{shard} has {found} bytes and should have {expected} by its own header; it was not fetched to the end or is damaged: fetch it again"
    )]
    Truncated {
        /// Name of the file.
        shard: String,
        /// Actual size in bytes.
        found: u64,
        /// Size in bytes according to the header.
        expected: u64,
    },
    /// The header of a weights file cannot be read.
    #[error("{shard} is not a valid safetensors file: {reason}; fetch it again")]
    Header {
        /// Name of the file.
        shard: String,
        /// Fault of the header.
        reason: Sentence,
    },
    /// A tensor that the architecture needs is missing.
    #[error(
        "tensor {tensor} is in none of the model's files, and {architecture} needs it; fetch the model again"
    )]
    MissingTensor {
        /// Name of the tensor.
        tensor: String,
        /// Name of the architecture.
        architecture: &'static str,
    },
    /// A tensor is not in the file that the index names.
    #[error(
        "model.safetensors.index.json says that {tensor} is in {shard}, where it is not; fetch the model again"
    )]
    NotInShard {
        /// Name of the tensor.
        tensor: String,
        /// Name of the file.
        shard: String,
    },
    /// Two files contain the same tensor.
    #[error("tensor {tensor} is in {first} and in {second}; keep one of the files")]
    Twice {
        /// Name of the tensor.
        tensor: String,
        /// Name of one file.
        first: String,
        /// Name of the other file.
        second: String,
    },
    /// The shape of a tensor contradicts config.json.
    #[error(
        "tensor {tensor} in {shard} has the shape {found:?}, by config.json it should be {expected:?}; config.json and weights are of different models"
    )]
    Shape {
        /// Name of the tensor.
        tensor: String,
        /// Name of the file.
        shard: String,
        /// Shape in the file.
        found: Vec<u64>,
        /// Shape according to config.json.
        expected: Vec<u64>,
    },
    /// A tensor has a storage format that cannot be read.
    #[error(
        "tensor {tensor} in {shard} is stored as {found}; F32, F16 and BF16 can be converted: take the repository that was not quantized, or a GGUF file"
    )]
    Dtype {
        /// Name of the tensor.
        tensor: String,
        /// Name of the file.
        shard: String,
        /// Storage format of the tensor.
        found: String,
    },
    /// A tensor is not part of the architecture.
    #[error(
        "tensor {tensor} in {shard} is not one of {architecture}: the model is of another kind than config.json says; look for a GGUF file of this model"
    )]
    Unknown {
        /// Name of the tensor.
        tensor: String,
        /// Name of the file.
        shard: String,
        /// Name of the architecture.
        architecture: &'static str,
    },
}
