//! Tokenizer and chat template of a model: from its repository if available, else from its GGUF
//! file.
//!
//! If a GGUF file has no template, a `chat_template.jinja` in the same folder is used.

use crate::chat_template::{ChatTemplate, SpecialTokens, TemplateError};
use crate::engine::Engine;
use crate::gguf::{self, GgufError, Header};
use crate::hf::{FolderError, TokenizerFiles};
use crate::model::ModelFiles;
use crate::tokenizer::{Tokenizer, TokenizerError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Tokenizer and chat template, which convert between conversations, text and tokens.
pub(crate) struct Texts {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) template: ChatTemplate,
    /// Tokens that end an answer.
    pub(crate) ends: Vec<u32>,
}

/// Reason why a model's tokenizer or template cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum TextsError {
    /// The folder of the tokenizer cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The header of the GGUF file cannot be read.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// The tokenizer cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The chat template cannot be used.
    #[error("{model}: {error}")]
    Template {
        /// Path of the model's file.
        model: String,
        /// Fault of the template.
        error: TemplateError,
    },
    /// The chat template next to the model file cannot be read.
    #[error("{file} cannot be read: {source}")]
    Beside {
        /// Path of the template's file.
        file: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The model has no chat template.
    #[error(
        "{0} has no chat template, so it cannot hold a conversation; choose a model that was tuned for chat, or put a \
         chat_template.jinja beside it"
    )]
    NoTemplate(String),
}

/// Tokenizer and chat templates from the files, checked before the weights are loaded.
pub(crate) struct TextFiles {
    model: String,
    templates: Value,
    /// Tokenizer, special tokens and end tokens of a repository. `None` for a GGUF file, whose
    /// vocabulary is loaded with its weights.
    read: Option<(Tokenizer, SpecialTokens, Vec<u32>)>,
}

impl TextFiles {
    /// Reads the files and tries the template.
    pub(crate) fn read(files: &ModelFiles) -> Result<Self, TextsError> {
        let model = files.weights.display().to_string();
        let (templates, read) = match &files.tokenizer {
            Some(folder) => {
                let read = TokenizerFiles::read(folder)?;
                let tokens = SpecialTokens { bos: read.bos, eos: read.eos, pad: read.pad, unk: read.unk };
                let tokenizer = Tokenizer::read(&read.tokenizer)?;
                (read.templates, Some((tokenizer, tokens, read.ends)))
            }
            None => (of_gguf(&files.weights)?, None),
        };
        if templates.is_empty() {
            return Err(TextsError::NoTemplate(model));
        }
        let templates = templates.iter();
        let templates = templates.map(|(name, template)| json!({"name": name, "template": template}));
        let texts = Self { model, templates: Value::Array(templates.collect()), read };
        // A GGUF file names its tokens by numbers. Their texts do not affect whether a template can
        // be used.
        let stand_ins = SpecialTokens {
            bos: Some("<s>".to_owned()),
            eos: Some("</s>".to_owned()),
            ..SpecialTokens::default()
        };
        let tokens = texts.read.as_ref().map_or(&stand_ins, |(_, tokens, _)| tokens);
        texts.template(tokens)?;
        Ok(texts)
    }

    /// Completes the texts with the vocabulary of the loaded model.
    pub(crate) fn with(self, engine: &Engine) -> Result<Texts, TextsError> {
        let vocabulary = engine.vocabulary();
        let of_file =
            SpecialTokens { bos: vocabulary.bos(), eos: vocabulary.eos(), ..SpecialTokens::default() };
        let tokens = self.read.as_ref().map_or(&of_file, |(_, tokens, _)| tokens);
        let template = self.template(tokens)?;
        let (tokenizer, ends) = match self.read {
            Some((tokenizer, _, ends)) => (tokenizer, ends),
            None => (Tokenizer::Gguf(vocabulary), Vec::new()),
        };
        Ok(Texts { tokenizer, template, ends })
    }

    fn template(&self, tokens: &SpecialTokens) -> Result<ChatTemplate, TextsError> {
        ChatTemplate::of_config(&self.templates, tokens)
            .map_err(|error| TextsError::Template { model: self.model.clone(), error })
    }
}

/// Templates in a GGUF file, or the template file in its folder if it has none.
fn of_gguf(weights: &Path) -> Result<BTreeMap<String, String>, TextsError> {
    let facts = gguf::Facts::from_header(&Header::read(weights)?);
    let of_file = [("default", facts.chat_template), ("tool_use", facts.tool_template)];
    let of_file = of_file.into_iter().filter_map(|(name, template)| Some((name.to_owned(), template?)));
    let mut templates: BTreeMap<String, String> =
        of_file.filter(|(_, template)| !template.trim().is_empty()).collect();
    let file = weights.with_file_name("chat_template.jinja");
    if templates.is_empty() && file.is_file() {
        let template = std::fs::read_to_string(&file)
            .map_err(|source| TextsError::Beside { file: file.display().to_string(), source })?;
        templates.insert("default".to_owned(), template);
    }
    Ok(templates)
}
