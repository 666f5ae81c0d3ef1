//! A model's tokenizer and chat template: those of its repository where they are there, else those in its GGUF file.

use crate::chat_template::{ChatTemplate, SpecialTokens, TemplateError};
use crate::engine::Engine;
use crate::gguf::{self, GgufError, Header};
use crate::hf::{FolderError, TokenizerFiles};
use crate::model::ModelFiles;
use crate::tokenizer::{Tokenizer, TokenizerError};
use serde_json::{Value, json};

/// What turns conversations into tokens and tokens into text.
pub(crate) struct Texts {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) template: ChatTemplate,
    /// Tokens that end an answer.
    pub(crate) ends: Vec<u32>,
}

/// Why a model's text cannot be read or written.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum TextsError {
    /// The folder of its tokenizer cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The header of its GGUF file cannot be read.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// Its tokenizer cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// Its chat template cannot be used.
    #[error("{model}: {error}")]
    Template {
        /// The model's file.
        model: String,
        /// What is wrong.
        error: TemplateError,
    },
    /// It has no chat template.
    #[error(
        "{0} has no chat template, so it cannot hold a conversation; choose a model that was tuned for chat, or put a \
         chat_template.jinja beside it"
    )]
    NoTemplate(String),
}

impl Texts {
    /// Reads them.
    pub(crate) fn read(files: &ModelFiles, engine: &Engine) -> Result<Self, TextsError> {
        let model = files.weights.display().to_string();
        let (tokenizer, templates, tokens, ends) = match &files.tokenizer {
            Some(folder) => {
                let read = TokenizerFiles::read(folder)?;
                let named =
                    |(name, template): (&String, &String)| json!({"name": name, "template": template});
                let tokens = SpecialTokens {
                    bos: read.bos,
                    eos: read.eos,
                    pad: read.pad,
                    unk: read.unk,
                };
                let templates: Vec<Value> = read.templates.iter().map(named).collect();
                (Tokenizer::read(&read.tokenizer)?, templates, tokens, read.ends)
            }
            None => {
                let vocabulary = engine.vocabulary();
                let facts = gguf::Facts::from_header(&Header::read(&files.weights)?);
                let tokens = SpecialTokens {
                    bos: vocabulary.bos(),
                    eos: vocabulary.eos(),
                    ..SpecialTokens::default()
                };
                let named = [
                    ("default", facts.chat_template),
                    ("tool_use", facts.tool_template),
                ];
                let templates = named
                    .into_iter()
                    .filter_map(|(name, template)| Some(json!({"name": name, "template": template?})));
                (
                    Tokenizer::Gguf(vocabulary),
                    templates.collect(),
                    tokens,
                    Vec::new(),
                )
            }
        };
        if templates.is_empty() {
            return Err(TextsError::NoTemplate(model));
        }
        let template = ChatTemplate::of_config(&Value::Array(templates), &tokens)
            .map_err(|error| TextsError::Template { model, error })?;
        Ok(Self {
            tokenizer,
            template,
            ends,
        })
    }
}
