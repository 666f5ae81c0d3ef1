//! Errors of loading a model and of generating an answer, one sentence each.

use koab_core::sentence::Sentence;
use std::path::PathBuf;

use super::bytes::Bytes;
use super::device::DeviceError;
use crate::gguf::GgufError;

/// Reason why a model could not be loaded.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum LoadError {
    /// The file does not exist, is not GGUF, is cut off, or contradicts itself.
    #[error("{path} cannot be loaded: {source}")]
    File {
        /// Path of the model file.
        path: PathBuf,
        /// Fault of the file.
        source: GgufError,
    },
    /// llama.cpp does not support the architecture.
    #[error(
        "{path} holds a model of the architecture {architecture}, which this version of llama.cpp does not know"
    )]
    UnknownArchitecture {
        /// Path of the model file.
        path: PathBuf,
        /// Architecture, as the file names it.
        architecture: String,
    },
    /// The model needs more memory than the machine has.
    #[error(
        "{path} does not fit into memory: it needs {need} (weights {weights}, {cells} tokens of context {kv}) and {available} are free; take a smaller quantization, a shorter context or fewer generations at once"
    )]
    TooLarge {
        /// Path of the model file.
        path: PathBuf,
        /// Memory for weights, context and the computation itself.
        need: Bytes,
        /// Size of the model's files.
        weights: Bytes,
        /// Size of the attention memory.
        kv: Bytes,
        /// Tokens of context over all sequences.
        cells: u32,
        /// Memory that is still available.
        available: Bytes,
    },
    /// llama.cpp refused the model.
    #[error("llama.cpp cannot load {path}: {reason}")]
    Refused {
        /// Path of the model file.
        path: PathBuf,
        /// Reason in llama.cpp's words.
        reason: Sentence,
    },
    /// The weights were loaded, but the memory for the context is not available.
    #[error("llama.cpp cannot set up a context of {cells} tokens for {path}: {reason}")]
    Context {
        /// Path of the model file.
        path: PathBuf,
        /// Tokens of context over all sequences.
        cells: u32,
        /// Reason in llama.cpp's words.
        reason: Sentence,
    },
    /// Another model is in use.
    #[error("{loaded} is loaded and in use: one model at a time, so end its run before {wanted} is loaded")]
    Busy {
        /// Path of the model in memory.
        loaded: PathBuf,
        /// Path of the model that was requested.
        wanted: PathBuf,
    },
    /// The requested device is not available.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The processor is older than llama.cpp was built for.
    #[error(
        "models cannot run on this processor: llama.cpp here needs {missing}, which processors have since about 2013"
    )]
    Processor {
        /// Names of the missing instruction sets.
        missing: String,
    },
    /// The number of parallel generations is 0, or more than llama.cpp supports.
    #[error("{asked} generations at once are not possible: it can be 1 to {most}")]
    Parallel {
        /// Requested number.
        asked: u32,
        /// Largest possible number.
        most: u32,
    },
    /// The requested context has 0 tokens.
    #[error("a context of 0 tokens holds nothing: give at least 1")]
    NoContext,
    /// The system cannot start a thread.
    #[error("the system gives no thread to run the model on: {0}")]
    Thread(#[source] std::io::Error),
}

/// Reason why an answer was not finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum EngineError {
    /// The prompt is empty.
    #[error("the prompt is empty: there is nothing to continue")]
    EmptyPrompt,
    /// The prompt alone is longer than the context.
    #[error(
        "the prompt has {tokens} tokens and the context holds {context}: shorten it or load the model with more context"
    )]
    PromptTooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens of context of one sequence.
        context: u32,
    },
    /// The prompt contains a token id that the model does not have.
    #[error(
        "the prompt holds the token {id} and the model knows {known} tokens: tokenizer and model do not belong together"
    )]
    UnknownToken {
        /// The unknown token id.
        id: u32,
        /// Size of the vocabulary.
        known: u32,
    },
    /// A sampling parameter is out of range.
    #[error("{name} cannot be {value}: it has to be {range}")]
    Sampling {
        /// Name of the parameter.
        name: &'static str,
        /// Value of the parameter.
        value: String,
        /// Allowed range.
        range: Sentence,
    },
    /// llama.cpp rejects the grammar.
    #[error("llama.cpp does not take the grammar of the answer: {0}")]
    Grammar(Sentence),
    /// The grammar allows no next token.
    #[error("the grammar of the answer leaves no possible next token")]
    DeadEnd,
    /// The model's output is not a number.
    #[error(
        "the model computed values that are not numbers: its weights are damaged or overflow at this precision"
    )]
    NotANumber,
    /// llama.cpp failed to compute.
    #[error("llama.cpp failed to compute (code {code}): {reason}")]
    Compute {
        /// Return code of `llama_decode`.
        code: i32,
        /// Reason in llama.cpp's words.
        reason: Sentence,
    },
    /// The engine ended before the answer was finished.
    #[error("the model was unloaded before the answer was finished")]
    Ended,
}
