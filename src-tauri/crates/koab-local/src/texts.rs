//! A model's tokenizer and chat template: those of its repository where they are there, else those
//! in its GGUF file. A GGUF file without a template takes `chat_template.jinja` beside it.

use crate::chat_template::{ChatTemplate, SpecialTokens, TemplateError};
use crate::engine::Engine;
use crate::gguf::{self, GgufError, Header};
use crate::hf::{FolderError, TokenizerFiles};
use crate::model::ModelFiles;
use crate::tokenizer::{Tokenizer, TokenizerError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

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
    /// The chat template beside its file cannot be read.
    #[error("{file} cannot be read: {source}")]
    Beside {
        /// The template's file.
        file: String,
        /// What the disk said.
        source: std::io::Error,
    },
    /// It has no chat template.
    #[error(
        "{0} has no chat template, so it cannot hold a conversation; choose a model that was tuned for chat, or put a \
         chat_template.jinja beside it"
    )]
    NoTemplate(String),
}

/// Tokenizer and chat templates as the files have them: known, and refused, before the weights are
/// loaded.
pub(crate) struct TextFiles {
    model: String,
    templates: Value,
    /// Those of a repository; nothing for a GGUF file, whose vocabulary comes with its weights.
    read: Option<(Tokenizer, SpecialTokens, Vec<u32>)>,
}

impl TextFiles {
    /// Reads them, and tries the template.
    pub(crate) fn read(files: &ModelFiles) -> Result<Self, TextsError> {
        let model = files.weights.display().to_string();
        let (named, read) = match &files.tokenizer {
            Some(folder) => {
                let read = TokenizerFiles::read(folder)?;
                let tokens = SpecialTokens { bos: read.bos, eos: read.eos, pad: read.pad, unk: read.unk };
                let tokenizer = Tokenizer::read(&read.tokenizer)?;
                (read.templates, Some((tokenizer, tokens, read.ends)))
            }
            None => (of_gguf(&files.weights)?, None),
        };
        if named.is_empty() {
            return Err(TextsError::NoTemplate(model));
        }
        let named = named.iter();
        let templates = named.map(|(name, template)| json!({"name": name, "template": template}));
        let texts = Self { model, templates: Value::Array(templates.collect()), read };
        // A GGUF file names its tokens by numbers; their texts change nothing in whether a template
        // can be used.
        let stand_ins = SpecialTokens {
            bos: Some("<s>".to_owned()),
            eos: Some("</s>".to_owned()),
            ..SpecialTokens::default()
        };
        let tokens = texts.read.as_ref().map_or(&stand_ins, |(_, tokens, _)| tokens);
        texts.template(tokens)?;
        Ok(texts)
    }

    /// With the vocabulary of the loaded model.
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

/// Templates of a GGUF file, or the one beside it where it has none.
fn of_gguf(weights: &Path) -> Result<BTreeMap<String, String>, TextsError> {
    let facts = gguf::Facts::from_header(&Header::read(weights)?);
    let of_file = [("default", facts.chat_template), ("tool_use", facts.tool_template)];
    let of_file = of_file.into_iter().filter_map(|(name, template)| Some((name.to_owned(), template?)));
    let mut templates: BTreeMap<String, String> =
        of_file.filter(|(_, template)| !template.trim().is_empty()).collect();
    let beside = weights.with_file_name("chat_template.jinja");
    if templates.is_empty() && beside.is_file() {
        let template = std::fs::read_to_string(&beside)
            .map_err(|source| TextsError::Beside { file: beside.display().to_string(), source })?;
        templates.insert("default".to_owned(), template);
    }
    Ok(templates)
}
