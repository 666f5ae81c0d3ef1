//! Text to tokens and back, by the repository's `tokenizer.json` or the vocabulary in the GGUF
//! file.
//!
//! The model was trained with the repository's tokenizer, so it is preferred. llama.cpp splits some
//! texts differently with the same vocabulary.

use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::path::{Path, PathBuf};

use crate::engine::Vocabulary;

mod decoder;

pub use decoder::Decoder;

/// Reason why there is no tokenizer.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum TokenizerError {
    /// The file cannot be read as a tokenizer.
    #[error("the tokenizer {path} cannot be read: {reason}; fetch the model again")]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Fault of the file.
        reason: Sentence,
    },
}

/// Tokenizer of a model.
#[derive(Clone, Debug)]
pub enum Tokenizer {
    /// `tokenizer.json` of the model's repository.
    Repository(Box<tokenizers::Tokenizer>),
    /// The vocabulary in the GGUF file.
    Gguf(Vocabulary),
}

impl Tokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// When the file does not exist or is not a tokenizer.
    pub fn read(path: &Path) -> Result<Self, TokenizerError> {
        let unreadable = |reason: Sentence| TokenizerError::Unreadable { path: path.to_owned(), reason };
        let text = std::fs::read(path).map_err(|error| unreadable(error.to_sentence()))?;
        let mut tokenizer =
            tokenizers::Tokenizer::from_bytes(text).map_err(|error| unreadable(error.to_string().into()))?;
        // Some files contain the truncation and padding of the training, which do not apply here.
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| unreadable(error.to_string().into()))?;
        Ok(Self::Repository(Box::new(tokenizer)))
    }

    /// Tokens of a text. Special tokens in the text are recognized, and none are added.
    #[must_use]
    pub fn encode(&self, text: &str) -> Vec<u32> {
        match self {
            Self::Gguf(vocabulary) => vocabulary.tokenize(text),
            Self::Repository(tokenizer) => tokenizer.encode_fast(text, false).map_or_else(
                |error| {
                    // Only a model without a token for unknown characters can fail, and such models
                    // have a token for each byte.
                    tracing::error!(%error, "the tokenizer refuses a text");
                    Vec::new()
                },
                |encoding| encoding.get_ids().to_vec(),
            ),
        }
    }

    /// Text of tokens; special tokens as they are written. Invalid UTF-8 is shown as �.
    #[must_use]
    pub fn decode(&self, tokens: &[u32]) -> String {
        match self {
            Self::Gguf(vocabulary) => {
                let bytes: Vec<u8> = tokens.iter().flat_map(|token| vocabulary.piece(*token)).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            Self::Repository(tokenizer) => tokenizer.decode(tokens, false).unwrap_or_default(),
        }
    }

    /// A decoder for an answer that is being generated.
    #[must_use]
    pub fn decoder(&self) -> Decoder<'_> {
        Decoder::new(self)
    }
}
