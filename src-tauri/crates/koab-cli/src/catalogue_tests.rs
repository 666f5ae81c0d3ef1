//! Checks that the catalogue of every language has exactly the sentences of the program.

use koab_core::sentence::{Language, catalogue, sentences};
use std::collections::BTreeSet;

/// Placeholders of a sentence.
fn places(sentence: &str) -> BTreeSet<&str> {
    let places = sentence.split('{').skip(1);
    places.filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// Whether a sentence has text to translate: at least two letters outside of its placeholders.
fn has_words(sentence: &str) -> bool {
    let mut open = 0;
    let words: String = sentence
        .chars()
        .map(|c| {
            open += i32::from(c == '{');
            let letter = if open == 0 { c } else { ' ' };
            open -= i32::from(c == '}' && open > 0);
            letter
        })
        .collect();
    words.chars().filter(char::is_ascii_alphabetic).count() > 1
}

#[test]
fn every_language_has_every_sentence_and_no_other() {
    let sentences = sentences();
    assert!(sentences.len() > 1000, "only {} sentences are known", sentences.len());
    for language in Language::all().filter(|language| *language != Language::ENGLISH) {
        let file = catalogue(language).expect("its file");
        let missing: Vec<&&str> =
            sentences.iter().filter(|text| has_words(text) && !file.contains_key(**text)).collect();
        let dead: Vec<&String> = file.keys().filter(|text| !sentences.contains(&text.as_str())).collect();
        let other: Vec<&String> = file
            .iter()
            .filter(|(english, theirs)| places(english) != places(theirs))
            .map(|(english, _)| english)
            .collect();
        if let Ok(to) = std::env::var("KOAB_SENTENCES") {
            std::fs::write(to, serde_json::to_string(&sentences).expect("JSON")).expect("written");
        }
        assert!(missing.is_empty(), "{language:?} lacks {}: {missing:#?}", missing.len());
        assert!(dead.is_empty(), "nobody says {}: {dead:#?}", dead.len());
        assert!(other.is_empty(), "the places differ: {other:#?}");
    }
}
