//! Byte pairs in the way of `SentencePiece`: characters, a mark for the blank, and bytes for what is unknown.

use serde_json::json;

use crate::bpe::Pairs;
use crate::tokenizer::Parts;
use crate::words::{SYLLABLES, WORDS};

/// The blank.
const BLANK: char = '\u{2581}';

/// The tokenizer: the special tokens first, then 256 bytes, merged pairs, and the characters last, as Llama 2 and
/// Mistral number them.
pub(crate) fn parts(special: &[&str]) -> Parts {
    let mut vocabulary = Pairs::default();
    for token in special {
        vocabulary.add((*token).to_owned());
    }
    for byte in 0..=255_u8 {
        vocabulary.add(format!("<0x{byte:02X}>"));
    }
    for word in WORDS {
        vocabulary.learn(&word.replace(' ', &BLANK.to_string()));
    }
    let ascii = (0x21..0x7f_u8).map(char::from);
    for character in [BLANK].into_iter().chain(ascii).chain(SYLLABLES.chars()) {
        vocabulary.add(character.to_string());
    }
    let special: Vec<(u64, String)> = special
        .iter()
        .enumerate()
        .map(|(id, token)| (id as u64, (*token).to_owned()))
        .collect();
    let count = vocabulary.tokens.len() as u64;
    let json = json!({
        "normalizer": null,
        "pre_tokenizer": {"type": "Metaspace", "replacement": BLANK, "prepend_scheme": "first", "split": false},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": BLANK}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ]},
        "model": {
            "type": "BPE", "dropout": null, "unk_token": "<unk>", "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": true, "byte_fallback": true, "ignore_merges": false,
            "vocab": vocabulary.vocab(), "merges": vocabulary.merges,
        },
    });
    Parts { json, special, count }
}
