//! Texts for the model that replace the published ones.

use crate::cache_key::sha256_hex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of hash digits that are shown.
const HASH_DIGITS: usize = 12;

/// The texts of a run that differ from the published ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTexts {
    /// System message before the first turn. The published runs have no system message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<RunText<String>>,
    /// Descriptions of tools and of their arguments, by `tool` and `tool.argument`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<RunText<BTreeMap<String, String>>>,
}

/// A replacement of published texts for the model, with the file that it was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunText<T> {
    /// Name of the file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The text itself, or the texts by name, as the file gives them.
    pub text: T,
}

impl<T> RunText<T> {
    /// Creates a text that was read from a file with this name and content.
    pub fn new(file: &str, content: &str, text: T) -> Self {
        Self { file: file.to_owned(), sha256: sha256_hex(content), text }
    }

    /// Name of the file with the beginning of its hash, for display.
    pub fn shown(&self) -> String {
        let hash = self.sha256.get(..HASH_DIGITS).unwrap_or(&self.sha256);
        format!("{} ({hash})", self.file)
    }
}

impl RunTexts {
    /// Whether no published text was replaced.
    pub fn is_empty(&self) -> bool {
        self.system_prompt.is_none() && self.tools.is_none()
    }

    /// Names of all files with the beginning of their hashes, separated by commas, for display.
    pub fn shown(&self) -> String {
        let prompt = self.system_prompt.as_ref().map(RunText::shown);
        let tools = self.tools.as_ref().map(RunText::shown);
        let files: Vec<String> = prompt.into_iter().chain(tools).collect();
        files.join(", ")
    }
}
