//! Byte pairs in the way of `SentencePiece`: characters, a mark for the blank, and bytes for what is unknown.

use std::collections::HashSet;

use serde_json::json;

use crate::bpe::{Pairs, Parts};
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
    let special: Vec<(u64, String)> =
        special.iter().enumerate().map(|(id, token)| (id as u64, (*token).to_owned())).collect();
    let count = vocabulary.tokens.len() as u64;
    let merges = merges(&vocabulary.tokens[special.len() + 256..]);
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
            "vocab": vocabulary.vocab(), "merges": merges,
        },
    });
    Parts { json, special, count }
}

/// Every pair of pieces that makes a piece, in the order of the pieces: `SentencePiece` knows pieces, not pairs, and a
/// `tokenizer.json` made of its file lists them so.
fn merges(pieces: &[String]) -> Vec<[&str; 2]> {
    let known: HashSet<&str> = pieces.iter().map(String::as_str).collect();
    let halves = |piece: &'_ str| -> Vec<(usize, usize)> {
        let cuts = piece.char_indices().skip(1).map(|(cut, _)| (cut, piece.len()));
        cuts.filter(|(cut, _)| known.contains(&piece[..*cut]) && known.contains(&piece[*cut..])).collect()
    };
    pieces
        .iter()
        .flat_map(|piece| halves(piece).into_iter().map(|(cut, end)| [&piece[..cut], &piece[cut..end]]))
        .collect()
}
