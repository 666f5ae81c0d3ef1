//! Errors of conversions.

use koab_core::sentence::Sentence;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why a conversion failed. A failed conversion leaves no partial files.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum ConvertError {
    /// The caller cancelled the conversion.
    #[error("the conversion was cancelled")]
    Cancelled,
    /// A source file failed while it was read.
    #[error("{file} cannot be read: {source}")]
    Unreadable {
        /// Path of the file.
        file: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The disk is full.
    #[error("the disk of {out} is full; the converted model takes {} MB there", needed / 1_000_000 + 1)]
    DiskFull {
        /// Folder of the converted model.
        out: PathBuf,
        /// Bytes that the converted model takes.
        needed: u64,
    },
    /// Another conversion into this folder is running.
    #[error("{0} is being written by another conversion; wait for it")]
    Busy(PathBuf),
    /// The result cannot be written.
    #[error("{out} cannot be written: {source}")]
    Unwritten {
        /// Folder of the converted model.
        out: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// GGUF cannot hold a tensor of this shape.
    #[error("the model does not fit into a GGUF file: {0}")]
    Unwritable(io::Error),
    /// A weight is infinite or not a number.
    #[error(
        "tensor {tensor} in {shard} holds numbers that are not finite; the file is damaged: fetch it again"
    )]
    NotFinite {
        /// Name of the tensor.
        tensor: String,
        /// File that contains the tensor.
        shard: String,
    },
    /// A weight is too large for float16, whose largest number is 65504.
    #[error("tensor {tensor} holds {found}, which float16 cannot represent; convert to bfloat16 instead")]
    TooLarge {
        /// Name of the tensor.
        tensor: String,
        /// The number.
        found: f32,
    },
    /// The settings and the files disagree about the output matrix.
    #[error(
        "config.json says that the embeddings are also the output (tie_word_embeddings), but the files hold another lm_head.weight; one of them is wrong"
    )]
    TwoOutputs,
    /// The tokenizer's file cannot be converted.
    #[error("tokenizer.json {0}")]
    Tokenizer(Sentence),
}

impl ConvertError {
    /// Classifies an I/O error that occurred while the result was written.
    pub(super) fn written(out: &Path, needed: u64, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::DiskFull { out: out.into(), needed }
            }
            io::ErrorKind::WouldBlock => Self::Busy(out.into()),
            _ => Self::Unwritten { out: out.into(), source: error },
        }
    }
}
