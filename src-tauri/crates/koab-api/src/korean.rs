//! The engine's sentences in Korean, for every face: the window and the page ask by command, the command line directly.
//!
//! Sentences are written in English where they arise, in any crate, and kept so. Here is their Korean, by topic; why
//! there is no number is in `koab_core::reason`. Nothing depends on it: a sentence without Korean is shown in English.
//! A test holds every phrase against the sources, so that one whose English was changed does not go on unnoticed.

mod bundle;
mod doctor;
mod editing;
mod egress;
mod errors;
mod forks;
mod import;
mod judge_lab;
mod local;
mod model_files;
mod notes;
mod pulling;
mod scenarios;
mod services;
mod snapshots;
mod submission;
mod system;
#[cfg(test)]
mod tests;

use crate::Api;
use koab_core::bundle::Said as Found;
use koab_core::comparability::Said;
use koab_core::judge::lab::LabSaid;
use koab_core::reason::Reason;
use koab_core::score::composite::Reading;
use koab_core::sentence::{self, Phrase};

/// Rows of `"English" => "Korean"` as phrases.
macro_rules! phrases {
    ($($english:literal => $korean:literal,)*) => {
        &[$(koab_core::sentence::Phrase { english: $english, korean: $korean },)*]
    };
}
use phrases;

/// What is said with the most words of its own comes first; phrases that only join others come last.
const CATALOGUES: &[&[Phrase]] = &[
    bundle::PHRASES,
    Found::PHRASES,
    egress::PHRASES,
    doctor::PHRASES,
    notes::PHRASES,
    forks::PHRASES,
    pulling::PHRASES,
    editing::PHRASES,
    import::PHRASES,
    scenarios::PHRASES,
    local::PHRASES,
    model_files::PHRASES,
    judge_lab::PHRASES,
    LabSaid::PHRASES,
    koab_core::submission::PHRASES,
    submission::PHRASES,
    Said::PHRASES,
    errors::PHRASES,
    services::PHRASES,
    snapshots::PHRASES,
    system::PHRASES,
    errors::GENERAL,
    Reading::PHRASES,
    Reason::PHRASES,
    errors::JOINS,
];

/// A sentence of the engine in Korean; null when there is none for it, such as for what a server said.
pub fn korean(text: &str) -> Option<String> {
    sentence::korean(CATALOGUES, text)
}

impl Api {
    /// Sentences of the engine in Korean, in the order they were asked for; null for each that has none.
    pub fn in_korean(texts: &[String]) -> Vec<Option<String>> {
        texts.iter().map(|text| korean(text)).collect()
    }
}
