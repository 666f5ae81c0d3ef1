//! The files beside the weights that say how text becomes tokens, and conversations text.
//!
//! A repository and a converted model have the same ones, so both are read by
//! [`TokenizerFiles::read`].

use koab_core::say;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{FolderError, json};

const TOKENIZER: &str = "tokenizer.json";

/// What those files say.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenizerFiles {
    /// `tokenizer.json`.
    pub tokenizer: PathBuf,
    /// The token that begins a text.
    pub bos: Option<String>,
    /// The token that ends a text.
    pub eos: Option<String>,
    /// The token that fills up.
    pub pad: Option<String>,
    /// The token for what is unknown.
    pub unk: Option<String>,
    /// Whether texts get `bos` in front, if that is said.
    pub adds_bos: Option<bool>,
    /// Whether texts get `eos` behind, if that is said.
    pub adds_eos: Option<bool>,
    /// Chat templates by name: `default`, and `tool_use` where conversations with tools have
    /// another.
    pub templates: BTreeMap<String, String>,
    /// The tokens that end an answer (`generation_config.json`, without it `config.json`).
    pub ends: Vec<u32>,
}

impl TokenizerFiles {
    /// The files that a converted model keeps copies of, if they are there.
    pub const COPIED: [&'static str; 6] = [
        TOKENIZER,
        "tokenizer_config.json",
        "special_tokens_map.json",
        "generation_config.json",
        "chat_template.jinja",
        "chat_template.json",
    ];

    /// Reads them out of a folder.
    ///
    /// # Errors
    /// `tokenizer.json` is missing, or one of the others is not JSON.
    pub fn read(folder: &Path) -> Result<Self, FolderError> {
        let tokenizer = folder.join(TOKENIZER);
        if !tokenizer.is_file() {
            let advice = if folder.join("tokenizer.model").exists() {
                say!(
                    "only tokenizer.model; look for a repository of this model that has tokenizer.json too, or for a GGUF file"
                )
            } else {
                say!("without which text cannot become tokens; load the rest of the model")
            };
            return Err(FolderError::Missing { folder: folder.into(), file: TOKENIZER.into(), advice });
        }
        let config = json::object(folder, "tokenizer_config.json")?.unwrap_or_default();
        let map = json::object(folder, "special_tokens_map.json")?.unwrap_or_default();
        let special = |name: &str| match config.get(name) {
            None => map.get(name).and_then(content),
            said => said.and_then(content),
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

    /// The chat template, the one for tools if tools are offered and there is one.
    #[must_use]
    pub fn template(&self, tools: bool) -> Option<&str> {
        let own = self.templates.get("tool_use").filter(|_| tools);
        own.or_else(|| self.templates.get("default")).map(String::as_str)
    }
}

/// A token is text, or an object with text.
fn content(token: &Value) -> Option<String> {
    let text = token.as_str().or_else(|| token.get("content")?.as_str())?;
    Some(text.to_owned())
}

fn templates(folder: &Path, config: &Map<String, Value>) -> Result<BTreeMap<String, String>, FolderError> {
    let mut templates = BTreeMap::new();
    let older = json::object(folder, "chat_template.json")?;
    for said in [config.get("chat_template"), older.as_ref().and_then(|file| file.get("chat_template"))] {
        match said {
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
