//! Why a conversion failed.

use koab_core::sentence::Sentence;
use std::io;
use std::path::{Path, PathBuf};

/// Why a conversion failed. Nothing half made is left behind.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum ConvertError {
    /// Stopped by whoever asked for it.
    #[error("the conversion was cancelled")]
    Cancelled,
    /// A source file failed while it was read.
    #[error("{file} cannot be read: {source}")]
    Unreadable {
        /// Which file.
        file: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// No room.
    #[error("the disk of {out} is full; the converted model takes {} MB there", needed / 1_000_000 + 1)]
    DiskFull {
        /// The folder to be written.
        out: PathBuf,
        /// Bytes it takes.
        needed: u64,
    },
    /// Two at once.
    #[error("{0} is being written by another conversion; wait for it")]
    Busy(PathBuf),
    /// The disk refused.
    #[error("{out} cannot be written: {source}")]
    Unwritten {
        /// The folder to be written.
        out: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// A shape that GGUF cannot hold.
    #[error("the model does not fit into a GGUF file: {0}")]
    Unwritable(io::Error),
    /// Weights that are not numbers.
    #[error(
        "tensor {tensor} in {shard} holds numbers that are not finite; the file is damaged: load it again"
    )]
    NotFinite {
        /// Which one.
        tensor: String,
        /// The file.
        shard: String,
    },
    /// float16 ends at 65504.
    #[error("tensor {tensor} holds {found}, more than float16 can say; convert to bfloat16 instead")]
    TooLarge {
        /// Which one.
        tensor: String,
        /// The number.
        found: f32,
    },
    /// Settings and files disagree.
    #[error(
        "config.json says that the embeddings are also the output (tie_word_embeddings), but the files hold another lm_head.weight; one of them is wrong"
    )]
    TwoOutputs,
    /// The tokenizer's file.
    #[error("tokenizer.json {0}")]
    Tokenizer(Sentence),
}

impl ConvertError {
    /// What the disk said while the result was written.
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
