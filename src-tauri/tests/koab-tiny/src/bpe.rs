//! Byte pairs over bytes written as letters (GPT-2's way), split by the family's pattern.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::Architecture;
use crate::words::{SYLLABLES, WORDS};

/// Splits of Qwen2 and Qwen3: digits one by one.
const QWEN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// Splits of Llama 3: digits by three.
const LLAMA: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// Splits of Mistral's later tokenizer (Tekken).
const TEKKEN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The tokenizer: 256 bytes, then merged pairs, then the special tokens, as the families number them.
pub(crate) fn parts(architecture: Architecture, special: &[&str]) -> Parts {
    let mut vocabulary = Pairs::default();
    for byte in order_of_bytes() {
        vocabulary.add(letter(byte).to_string());
    }
    for syllable in SYLLABLES.chars() {
        vocabulary.learn(&letters(syllable.encode_utf8(&mut [0; 4])));
    }
    for word in WORDS {
        vocabulary.learn(&letters(word));
    }
    let first = vocabulary.tokens.len() as u64;
    let special: Vec<(u64, String)> =
        special.iter().enumerate().map(|(at, token)| (first + at as u64, (*token).to_owned())).collect();
    let count = first + special.len() as u64;
    let (pattern, normalizer) = match architecture {
        Architecture::Qwen2 | Architecture::Qwen3 => (QWEN, json!({"type": "NFC"})),
        Architecture::Llama => (LLAMA, Value::Null),
        Architecture::Mistral => (TEKKEN, Value::Null),
    };
    let json = json!({
        "normalizer": normalizer,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false},
            {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
        ]},
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
            "ignore_merges": matches!(architecture, Architecture::Llama | Architecture::Mistral),
            "vocab": vocabulary.vocab(), "merges": vocabulary.merges,
        },
    });
    Parts { json, special, count }
}

/// Tokens in the order of their ids, and the pairs that make them in the order of their rank.
#[derive(Default)]
pub(crate) struct Pairs {
    pub(crate) tokens: Vec<String>,
    known: HashSet<String>,
    pub(crate) merges: Vec<[String; 2]>,
}

impl Pairs {
    /// A token by itself; a second time it is the same one.
    pub(crate) fn add(&mut self, token: String) -> bool {
        let new = self.known.insert(token.clone());
        if new {
            self.tokens.push(token);
        }
        new
    }

    /// A word from left to right: its beginnings become tokens, each made of the one before and the next letter.
    pub(crate) fn learn(&mut self, word: &str) {
        let mut letters = word.chars();
        let mut start: String = letters.next().into_iter().collect();
        for letter in letters {
            let longer = format!("{start}{letter}");
            if self.add(longer.clone()) {
                self.merges.push([start, letter.to_string()]);
            }
            start = longer;
        }
    }

    /// `vocab` of `tokenizer.json`.
    pub(crate) fn vocab(&self) -> Map<String, Value> {
        self.tokens.iter().enumerate().map(|(id, token)| (token.clone(), json!(id))).collect()
    }
}

fn letters(text: &str) -> String {
    text.bytes().map(letter).collect()
}

/// A byte that can be seen stands for itself, the others for letters from U+0100 on.
fn letter(byte: u8) -> char {
    if seen(byte) {
        return char::from(byte);
    }
    let hidden = (0..byte).filter(|&other| !seen(other)).count() as u32;
    char::from_u32(0x100 + hidden).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn seen(byte: u8) -> bool {
    matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff)
}

/// The order in which the families number the bytes: those that can be seen first.
fn order_of_bytes() -> impl Iterator<Item = u8> {
    (0..=255).filter(|&byte| seen(byte)).chain((0..=255).filter(|&byte| !seen(byte)))
}

/// A tokenizer before it is written.
pub(crate) struct Parts {
    /// `model`, `normalizer`, `pre_tokenizer`, `decoder` of `tokenizer.json`.
    pub(crate) json: Value,
    /// The special tokens in the order of their ids.
    pub(crate) special: Vec<(u64, String)>,
    /// How many tokens there are with those.
    pub(crate) count: u64,
}
