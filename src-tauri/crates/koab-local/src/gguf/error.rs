//! Errors of reading GGUF files.

use koab_core::sentence::Sentence;
use std::io;

/// Reason why a file cannot be read as GGUF.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum GgufError {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is not GGUF.
    #[error("this is not a GGUF file: it does not begin with the letters GGUF")]
    Magic,
    /// The GGUF version is not supported; llama.cpp does not read it either.
    #[error(
        "the file is GGUF of version {0}; versions 2 and 3 can be read: convert the model anew or fetch a newer file"
    )]
    Version(u32),
    /// The file is big-endian.
    #[error("the file was made for big-endian computers; fetch the ordinary (little-endian) file")]
    BigEndian,
    /// The header continues beyond the end of the file.
    #[error("the file is cut off: its header continues beyond its {bytes} bytes; fetch it again")]
    CutOff {
        /// Bytes of the file.
        bytes: u64,
    },
    /// The last tensors are missing.
    #[error("the file is cut off: tensor {tensor} ends at byte {end}, the file at {bytes}; fetch it again")]
    CutOffTensor {
        /// Name of the tensor.
        tensor: String,
        /// Offset at which the tensor should end.
        end: u64,
        /// Bytes of the file.
        bytes: u64,
    },
    /// A length or number is impossible.
    #[error("the file is corrupt: it claims {count} for {what}")]
    Count {
        /// Name of the length or number, for the message.
        what: Sentence,
        /// The number in the file.
        count: u64,
    },
    /// A text is not UTF-8.
    #[error("the file is corrupt: {what} is not text")]
    NotText {
        /// Name of the text, for the message.
        what: Sentence,
    },
    /// A value has an unknown type.
    #[error("the file is corrupt: the metadata {key} has the unknown type {code}")]
    ValueType {
        /// Name of the metadata entry.
        key: String,
        /// The unknown type code.
        code: u32,
    },
    /// Two facts or tensors have the same name.
    #[error("the file is corrupt: {0} occurs twice")]
    Twice(String),
    /// The shape or position of a tensor is invalid.
    #[error("the file is corrupt: tensor {tensor} has {what}")]
    Tensor {
        /// Name of the tensor.
        tensor: String,
        /// Fault of the tensor.
        what: Sentence,
    },
    /// A part of a split model is missing.
    #[error("the model is split into {count} files and {missing} is missing beside the others")]
    MissingPart {
        /// Number of parts.
        count: u64,
        /// File name of the missing part.
        missing: String,
    },
}
