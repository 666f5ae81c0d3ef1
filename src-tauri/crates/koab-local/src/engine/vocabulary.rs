//! The vocabulary in a GGUF file.

use std::sync::Arc;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::lease::Lease;

/// The vocabulary of a loaded model. It is part of the model, so the weights stay in memory until
/// this value is dropped.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub(super) model: Arc<LlamaModel>,
    pub(super) _lease: Arc<Lease>,
}

impl Vocabulary {
    /// Tokens of a text. Special tokens in the text are recognized, and none are added.
    #[must_use]
    pub fn tokenize(&self, text: &str) -> Vec<u32> {
        let tokens = self.model.vocab().tokenize(text.as_bytes(), false, true);
        tokens.into_iter().filter_map(|token| u32::try_from(token.0).ok()).collect()
    }

    /// Text of a token as bytes; special tokens as they are written. Empty for an id that does not
    /// exist.
    #[must_use]
    pub fn piece(&self, id: u32) -> Vec<u8> {
        match i32::try_from(id) {
            Ok(id) if id < self.model.n_vocab() => {
                self.model.vocab().token_to_piece(LlamaToken::new(id), true, None)
            }
            _ => Vec::new(),
        }
    }

    /// Whether a token ends an answer, according to the model file.
    #[must_use]
    pub fn ends(&self, id: u32) -> bool {
        i32::try_from(id)
            .is_ok_and(|id| id < self.model.n_vocab() && self.model.vocab().is_eog(LlamaToken::new(id)))
    }

    /// Text of the token at the beginning of a text. `None` if the model has none.
    #[must_use]
    pub fn bos(&self) -> Option<String> {
        self.written(self.model.vocab().bos())
    }

    /// Text of the token at the end of a text. `None` if the model has none.
    #[must_use]
    pub fn eos(&self) -> Option<String> {
        self.written(self.model.vocab().eos())
    }

    fn written(&self, token: LlamaToken) -> Option<String> {
        let id = u32::try_from(token.0).ok()?;
        Some(String::from_utf8_lossy(&self.piece(id)).into_owned()).filter(|text| !text.is_empty())
    }
}
