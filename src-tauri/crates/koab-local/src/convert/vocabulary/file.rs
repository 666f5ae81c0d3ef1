//! The parts of `tokenizer.json` that the vocabulary is made from.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Content of `tokenizer.json`.
#[derive(Deserialize)]
pub(super) struct TokenizerJson {
    #[serde(default)]
    pub(super) added_tokens: Vec<AddedToken>,
    #[serde(default)]
    pub(super) normalizer: Value,
    #[serde(default)]
    pub(super) pre_tokenizer: Value,
    #[serde(default)]
    pub(super) post_processor: Value,
    pub(super) model: Model,
}

/// A token that is added to the vocabulary.
#[derive(Deserialize)]
pub(super) struct AddedToken {
    pub(super) id: u64,
    pub(super) content: String,
    #[serde(default)]
    pub(super) special: bool,
}

/// The tokenizer's model: the vocabulary with its merges and options.
#[derive(Deserialize)]
pub(super) struct Model {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) vocab: Vocab,
    #[serde(default)]
    pub(super) merges: Vec<Pair>,
    #[serde(default)]
    pub(super) byte_fallback: bool,
    #[serde(default)]
    pub(super) ignore_merges: bool,
    #[serde(default)]
    pub(super) unk_token: Option<String>,
}

/// Tokens with ids, or with log-probabilities in the order of their ids.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Vocab {
    Pairs(BTreeMap<String, u64>),
    Scored(Vec<(String, f64)>),
}

/// A merge of two texts. Older files have one text with a blank between the two.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Pair {
    Two(String, String),
    One(String),
}

impl Pair {
    /// The pair in GGUF's form, with a blank between the texts. Blanks within a text are written as
    /// `Ġ`.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Two(left, right) => {
                let escaped = |part: &str| part.replace(' ', "\u{120}");
                format!("{} {}", escaped(left), escaped(right))
            }
            Self::One(text) => text.clone(),
        }
    }

    /// The token that results from the merge.
    pub(super) fn whole(&self) -> String {
        match self {
            Self::Two(left, right) => format!("{left}{right}"),
            Self::One(text) => text.replacen(' ', "", 1),
        }
    }
}

impl TokenizerJson {
    /// Whether the tokenizer splits text into bytes and writes each byte as a letter.
    pub(super) fn splits_bytes(&self) -> bool {
        self.model.kind.as_deref().unwrap_or("BPE") == "BPE"
            && any(&self.pre_tokenizer, &|part| part["type"] == "ByteLevel")
    }

    /// Whether the tokenizer puts a blank in front of a text.
    pub(super) fn puts_blank_first(&self) -> bool {
        let metaspace = |part: &Value| {
            part["type"] == "Metaspace"
                && part["prepend_scheme"]
                    .as_str()
                    .map_or(part["add_prefix_space"] == true, |when| when != "never")
        };
        any(&self.normalizer, &|part| part["type"] == "Prepend") || any(&self.pre_tokenizer, &metaspace)
    }

    /// Whether the tokenizer puts the given token in front of every text.
    pub(super) fn begins_with(&self, token: &str) -> bool {
        any(&self.post_processor, &|part| part["single"][0]["SpecialToken"]["id"] == token)
    }
}

/// Whether a component of the tokenizer, or any component inside it, meets a condition.
pub(super) fn any(part: &Value, such: &dyn Fn(&Value) -> bool) -> bool {
    such(part)
        || ["pretokenizers", "processors", "normalizers"]
            .iter()
            .any(|list| part[list].as_array().is_some_and(|parts| parts.iter().any(|part| any(part, such))))
}
