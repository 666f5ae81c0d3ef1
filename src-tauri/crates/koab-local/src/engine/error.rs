//! Why a model cannot be loaded, or an answer not be finished: one sentence each.

use koab_core::sentence::Sentence;
use std::path::PathBuf;

use super::bytes::Bytes;
use super::device::DeviceError;
use crate::gguf::GgufError;

/// Why a model could not be loaded.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum LoadError {
    /// Not there, no GGUF, cut off, or contradicting itself.
    #[error("{path} cannot be loaded: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: GgufError,
    },
    /// A kind of model that llama.cpp does not know.
    #[error(
        "{path} holds a model of the architecture {architecture}, which this version of llama.cpp does not know"
    )]
    UnknownArchitecture {
        /// The file.
        path: PathBuf,
        /// As the file names it.
        architecture: String,
    },
    /// More than the machine has.
    #[error(
        "{path} does not fit into memory: it needs {need} (weights {weights}, {cells} tokens of context {kv}) and {available} \
         are free; take a smaller quantization, a shorter context or fewer at once"
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Weights, context and what the calculation itself takes.
        need: Bytes,
        /// Size of the file, or files.
        weights: Bytes,
        /// Of the memory of attention.
        kv: Bytes,
        /// Tokens of context over all sequences.
        cells: u32,
        /// What may still be taken.
        available: Bytes,
    },
    /// llama.cpp refused it.
    #[error("llama.cpp cannot load {path}: {reason}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// In llama.cpp's words.
        reason: Sentence,
    },
    /// The weights are there, and the memory for contexts is not.
    #[error("llama.cpp cannot set up a context of {cells} tokens for {path}: {reason}")]
    Context {
        /// The file.
        path: PathBuf,
        /// Tokens over all sequences.
        cells: u32,
        /// In llama.cpp's words.
        reason: Sentence,
    },
    /// Another model is in use.
    #[error("{loaded} is loaded and in use: one model at a time, so end its run before {wanted} is loaded")]
    Busy {
        /// The model in memory.
        loaded: PathBuf,
        /// The one that was asked for.
        wanted: PathBuf,
    },
    /// The wanted device is not there.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A processor older than llama.cpp was built for.
    #[error(
        "models cannot run on this processor: llama.cpp here needs {missing}, which processors have since about 2013"
    )]
    Processor {
        /// Instruction sets that are not there.
        missing: String,
    },
    /// No sequences, or more than llama.cpp can hold.
    #[error("{asked} generations at once are not possible: it can be 1 to {most}")]
    Parallel {
        /// As asked.
        asked: u32,
        /// As possible.
        most: u32,
    },
    /// A context of 0 tokens.
    #[error("a context of 0 tokens holds nothing: give at least 1")]
    NoContext,
    /// The system gives no thread.
    #[error("the system gives no thread to run the model on: {0}")]
    Thread(#[source] std::io::Error),
}

/// Why an answer was not finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum EngineError {
    /// Nothing to continue.
    #[error("the prompt is empty: there is nothing to continue")]
    EmptyPrompt,
    /// The prompt alone is more than the context.
    #[error(
        "the prompt has {tokens} tokens and the context holds {context}: shorten it or load the model with more context"
    )]
    PromptTooLong {
        /// Of the prompt.
        tokens: usize,
        /// Of one sequence.
        context: u32,
    },
    /// A token id that the model does not have.
    #[error(
        "the prompt holds the token {id} and the model knows {known} tokens: tokenizer and model do not belong together"
    )]
    UnknownToken {
        /// The id.
        id: u32,
        /// Size of the vocabulary.
        known: u32,
    },
    /// A number for sampling that makes no sense.
    #[error("{name} cannot be {value}: it has to be {range}")]
    Sampling {
        /// The parameter.
        name: &'static str,
        /// As given.
        value: String,
        /// What is possible.
        range: Sentence,
    },
    /// llama.cpp does not take the grammar.
    #[error("llama.cpp does not take the grammar of the answer: {0}")]
    Grammar(Sentence),
    /// The grammar leaves no token to continue with.
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
        /// Of `llama_decode`.
        code: i32,
        /// In llama.cpp's words.
        reason: Sentence,
    },
    /// The engine ended before the answer.
    #[error("the model was unloaded before the answer was finished")]
    Ended,
}
