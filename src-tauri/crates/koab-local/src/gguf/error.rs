//! Why a file cannot be read as GGUF.

use koab_core::sentence::Sentence;
use std::io;

/// Why a file cannot be read as GGUF.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum GgufError {
    /// The disk.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Another kind of file.
    #[error("this is not a GGUF file: it does not begin with the letters GGUF")]
    Magic,
    /// A form that llama.cpp does not read either.
    #[error(
        "the file is GGUF of version {0}; versions 2 and 3 can be read: convert the model anew or load a newer file"
    )]
    Version(u32),
    /// Numbers the other way round.
    #[error("the file was made for big-endian computers; load the ordinary (little-endian) file")]
    BigEndian,
    /// The header goes on where the file ends.
    #[error("the file is cut off: its header continues beyond its {bytes} bytes; load it again")]
    CutOff {
        /// Bytes of the file.
        bytes: u64,
    },
    /// The last tensors are missing.
    #[error("the file is cut off: tensor {tensor} ends at byte {end}, the file at {bytes}; load it again")]
    CutOffTensor {
        /// Which one.
        tensor: String,
        /// Where it should end.
        end: u64,
        /// Bytes of the file.
        bytes: u64,
    },
    /// A length or number that cannot be.
    #[error("the file is corrupt: it claims {count} for {what}")]
    Count {
        /// Of what.
        what: Sentence,
        /// What it claims.
        count: u64,
    },
    /// Bytes that are not UTF-8.
    #[error("the file is corrupt: {what} is not text")]
    NotText {
        /// What.
        what: Sentence,
    },
    /// A kind of value that there is not.
    #[error("the file is corrupt: fact {key} has the unknown type {code}")]
    ValueType {
        /// The fact's name.
        key: String,
        /// The unknown code.
        code: u32,
    },
    /// Two of one name.
    #[error("the file is corrupt: {0} occurs twice")]
    Twice(String),
    /// A tensor's shape or place makes no sense.
    #[error("the file is corrupt: tensor {tensor} has {what}")]
    Tensor {
        /// Which one.
        tensor: String,
        /// What is wrong.
        what: Sentence,
    },
    /// A part of a split model is not there.
    #[error("the model is split into {count} files and {missing} is missing beside the others")]
    MissingPart {
        /// How many there should be.
        count: u64,
        /// The missing file's name.
        missing: String,
    },
}
