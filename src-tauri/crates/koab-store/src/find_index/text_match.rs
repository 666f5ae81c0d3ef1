//! Look-up of a text in the word index.
//!
//! The index has every three characters of a text in a row, so a text of three characters or more
//! is found exactly, as a phrase of them. Shorter texts, which are common in Korean, are found as
//! the beginnings of such triples. Marks at both ends of each text make the last characters the
//! beginning of a triple too, and let the same phrase find whole texts.

use koab_core::find::{TextRelation, fold};

/// Mark before a text. Folding removes it from texts themselves.
pub(super) const START: char = '\u{2}';
/// Mark after a text.
pub(super) const END: char = '\u{1}';

/// Number of characters in an entry of the word index.
const GRAM_CHARS: usize = 3;

/// Way to find texts in the word index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextMatch {
    /// Expression for FTS5: the phrase in quotes.
    Phrase(String),
    /// All triples between these two, inclusive.
    Triples(String, String),
}

impl TextMatch {
    /// Way to find the texts that contain this value, or that equal it.
    pub(super) fn new(relation: TextRelation, value: &str) -> Self {
        let value = fold(value);
        let sought = match relation {
            TextRelation::Contains => value,
            TextRelation::Equals => format!("{START}{value}{END}{END}"),
        };
        if sought.chars().count() < GRAM_CHARS {
            let last = format!("{sought}{}", char::MAX);
            Self::Triples(sought, last)
        } else {
            Self::Phrase(format!("\"{}\"", sought.replace('"', "\"\"")))
        }
    }
}
