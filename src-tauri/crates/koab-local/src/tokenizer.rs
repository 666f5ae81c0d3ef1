//! Text to tokens and back: the repository's own `tokenizer.json`, or the vocabulary in the GGUF
//! file.
//!
//! The repository's is what the model was trained with, so it is taken where it is there;
//! llama.cpp's reading of the same vocabulary splits some texts otherwise.

use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::path::{Path, PathBuf};

use crate::engine::Vocabulary;

mod decoder;

pub use decoder::Decoder;

/// Why there is no tokenizer.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum TokenizerError {
    /// The file cannot be read as a tokenizer.
    #[error("the tokenizer {path} cannot be read: {reason}; fetch the model again")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Sentence,
    },
}

/// A model's tokenizer.
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
    /// When it is not there or no tokenizer.
    pub fn read(path: &Path) -> Result<Self, TokenizerError> {
        let unreadable = |reason: Sentence| TokenizerError::Unreadable { path: path.to_owned(), reason };
        let text = std::fs::read(path).map_err(|error| unreadable(error.to_sentence()))?;
        let mut tokenizer =
            tokenizers::Tokenizer::from_bytes(text).map_err(|error| unreadable(error.to_string().into()))?;
        // Some files say how prompts were cut and filled while training; here nothing is.
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| unreadable(error.to_string().into()))?;
        Ok(Self::Repository(Box::new(tokenizer)))
    }

    /// A text as tokens. Special tokens in the text are read as such, and none are added.
    #[must_use]
    pub fn encode(&self, text: &str) -> Vec<u32> {
        match self {
            Self::Gguf(vocabulary) => vocabulary.tokenize(text),
            Self::Repository(tokenizer) => tokenizer.encode_fast(text, false).map_or_else(
                |error| {
                    // Only a model without a token for unknown characters can fail, and those have
                    // one for each byte.
                    tracing::error!(%error, "the tokenizer refuses a text");
                    Vec::new()
                },
                |encoding| encoding.get_ids().to_vec(),
            ),
        }
    }

    /// Tokens as text, special ones as they are written. What is not text is shown as �.
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

    /// Reads an answer as it comes.
    #[must_use]
    pub fn decoder(&self) -> Decoder<'_> {
        Decoder::new(self)
    }
}
