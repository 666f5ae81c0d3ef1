//! Files of the tokenizer and the chat template.
//!
//! A repository and a converted model have the same files, so [`TokenizerFiles::read`] reads both.

use koab_core::say;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{FolderError, json};

const TOKENIZER: &str = "tokenizer.json";

/// Content of the tokenizer's files.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenizerFiles {
    /// Path of `tokenizer.json`.
    pub tokenizer: PathBuf,
    /// Token at the beginning of a text.
    pub bos: Option<String>,
    /// Token at the end of a text.
    pub eos: Option<String>,
    /// Padding token.
    pub pad: Option<String>,
    /// Token for unknown text.
    pub unk: Option<String>,
    /// Whether texts get `bos` in front, if the files say so.
    pub adds_bos: Option<bool>,
    /// Whether texts get `eos` at the end, if the files say so.
    pub adds_eos: Option<bool>,
    /// Chat templates by name: `default`, and `tool_use` if conversations with tools have a
    /// template of their own.
    pub templates: BTreeMap<String, String>,
    /// Tokens that end an answer, from `generation_config.json` or else `config.json`.
    pub ends: Vec<u32>,
}

impl TokenizerFiles {
    /// Names of the files that are copied to a converted model, if they exist.
    pub const COPIED: [&'static str; 6] = [
        TOKENIZER,
        "tokenizer_config.json",
        "special_tokens_map.json",
        "generation_config.json",
        "chat_template.jinja",
        "chat_template.json",
    ];

    /// Reads the files of a folder.
    ///
    /// # Errors
    /// When `tokenizer.json` is missing, or one of the other files is not JSON.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let tokenizer = folder.join(TOKENIZER);
        if !tokenizer.is_file() {
            let advice = if folder.join("tokenizer.model").exists() {
                say!(
                    "it has only tokenizer.model; look for a repository of this model that has tokenizer.json too, or for a GGUF file"
                )
            } else {
                say!("without this file text cannot become tokens; fetch the rest of the model")
            };
            return Err(FolderError::Missing { folder: folder.into(), file: TOKENIZER.into(), advice });
        }
        let config = json::object(folder, "tokenizer_config.json")?.unwrap_or_default();
        let map = json::object(folder, "special_tokens_map.json")?.unwrap_or_default();
        let special = |name: &str| match config.get(name) {
            None => map.get(name).and_then(content),
            token => token.and_then(content),
        };
        let flag = |name: &str| config.get(name).and_then(Value::as_bool);
        Ok(Self {
            bos: special("bos_token"),
            eos: special("eos_token"),
            pad: special("pad_token"),
            unk: special("unk_token"),
            adds_bos: flag("add_bos_token"),
            adds_eos: flag("add_eos_token"),
            templates: templates(folder, &config)?,
            ends: ends(folder)?,
            tokenizer,
        })
    }

    /// The chat template for conversations with or without tools. Without a template for tools, the
    /// default is used for both.
    #[must_use]
    pub fn template(&self, tools: bool) -> Option<&str> {
        let own = self.templates.get("tool_use").filter(|_| tools);
        own.or_else(|| self.templates.get("default")).map(String::as_str)
    }
}

/// Text of a token, which is a text or an object with a text.
fn content(token: &Value) -> Option<String> {
    let text = token.as_str().or_else(|| token.get("content")?.as_str())?;
    Some(text.to_owned())
}

fn templates(folder: &Path, config: &Map<String, Value>) -> Result<BTreeMap<String, String>, FolderError> {
    let mut templates = BTreeMap::new();
    let older = json::object(folder, "chat_template.json")?;
    for value in [config.get("chat_template"), older.as_ref().and_then(|file| file.get("chat_template"))] {
        match value {
            Some(Value::String(template)) => {
                templates.insert("default".to_owned(), template.clone());
            }
            Some(Value::Array(several)) => {
                for one in several {
                    if let (Some(name), Some(template)) = (one["name"].as_str(), one["template"].as_str()) {
                        templates.insert(name.to_owned(), template.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    if let Ok(template) = fs::read_to_string(folder.join("chat_template.jinja")) {
        templates.insert("default".to_owned(), template);
    }
    if let Ok(template) = fs::read_to_string(folder.join("additional_chat_templates/tool_use.jinja")) {
        templates.insert("tool_use".to_owned(), template);
    }
    Ok(templates)
}

fn ends(folder: &Path) -> Result<Vec<u32>, FolderError> {
    for name in ["generation_config.json", "config.json"] {
        let Some(file) = json::object(folder, name)? else {
            continue;
        };
        let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        let ids: Vec<u32> = match file.get("eos_token_id") {
            Some(Value::Array(ids)) => ids.iter().filter_map(id).collect(),
            Some(one) => id(one).into_iter().collect(),
            None => Vec::new(),
        };
        if !ids.is_empty() {
            return Ok(ids);
        }
    }
    Ok(Vec::new())
}
