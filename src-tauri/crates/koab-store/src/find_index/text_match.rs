//! Look-up of a text in the word indexes.
//!
//! One index has every three characters of a text in a row, so a value of three characters or
//! more is found exactly, as a phrase of them. Shorter values, which are common in Korean, are
//! entries of a second index. Marks at both ends of each text let a phrase find whole texts.

use koab_core::find::{TextRelation, fold};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Mark before a text. Folding removes it from texts themselves.
const START: char = '\u{2}';
/// Mark after a text.
const END: char = '\u{1}';

/// Number of characters in an entry of the index of triples.
const GRAM_CHARS: usize = 3;

/// Way to find texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextMatch {
    /// Expression for the index of triples: the phrase in quotes.
    Phrase(String),
    /// Expression for the index of short parts.
    Part(String),
    /// All texts.
    All,
}

impl TextMatch {
    /// Way to find the texts that contain this value, or that equal it.
    pub(super) fn new(relation: TextRelation, value: &str) -> Self {
        let value = fold(value);
        let sought = match relation {
            TextRelation::Contains => value,
            TextRelation::Equals => format!("{START}{value}{END}{END}"),
        };
        let characters: Vec<char> = sought.chars().take(GRAM_CHARS).collect();
        match characters.len() {
            0 => Self::All,
            GRAM_CHARS => Self::Phrase(format!("\"{}\"", sought.replace('"', "\"\""))),
            _ => Self::Part(format!("\"{}\"", entry(&characters))),
        }
    }
}

/// Text as the index of triples holds it: folded, with a mark at its start and two at its end.
pub(super) fn with_marks(folded: &str) -> String {
    format!("{START}{folded}{END}{END}")
}

/// Entries of a text in the index of short parts: every one and every two of its characters.
pub(super) fn parts(folded: &str) -> String {
    let characters: Vec<char> = folded.chars().collect();
    let parts: BTreeSet<&[char]> = characters.chunks(1).chain(characters.windows(2)).collect();
    let mut text = String::with_capacity(parts.len() * 10);
    for part in parts {
        text.push_str(&entry(part));
        text.push(' ');
    }
    text
}

/// Code points of a part, so that a space or a sign is no border of entries.
fn entry(part: &[char]) -> String {
    part.iter().fold(String::new(), |mut entry, c| {
        let _ = write!(entry, "x{:x}", u32::from(*c));
        entry
    })
}
