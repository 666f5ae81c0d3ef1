//! Texts that several parts of the page share.

use koab_core::level::Level;
use koab_core::sentence::{Language, Sentence};
use koab_core::text;

/// Translated text of a reason; empty without a reason.
pub(super) fn why(reason: Option<&Sentence>, language: Language) -> String {
    reason.map_or_else(String::new, |reason| language.say(reason))
}

/// Name of a level with its number.
pub(super) fn titled(level: &Level, language: Language) -> String {
    let name = match level {
        Level::L1 => text!("Single call"),
        Level::L2 => text!("Tool selection"),
        Level::L3 => text!("Sequential calls"),
        Level::L4 => text!("Parallel calls"),
        Level::L5 => text!("Error handling"),
        Level::L6 => text!("Efficient reuse"),
        Level::L7 => text!("Long context"),
        other => return other.to_string(),
    };
    format!("{level} {}", language.text(name))
}
