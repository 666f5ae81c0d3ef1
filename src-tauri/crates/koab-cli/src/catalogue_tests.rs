//! Every sentence of the program stands in the file of every language, and nothing else does.

use koab_core::sentence::{Language, catalogue, sentences};
use std::collections::BTreeSet;

/// The places of a sentence.
fn places(sentence: &str) -> BTreeSet<&str> {
    let places = sentence.split('{').skip(1);
    places.filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// Whether there is anything to translate: two words, or one that is long enough to be none of a
/// format's.
fn has_words(sentence: &str) -> bool {
    let mut open = 0;
    let words: String = sentence
        .chars()
        .map(|c| {
            open += i32::from(c == '{');
            let shown = if open == 0 { c } else { ' ' };
            open -= i32::from(c == '}' && open > 0);
            shown
        })
        .collect();
    words.chars().filter(char::is_ascii_alphabetic).count() > 1
}

#[test]
fn every_language_has_every_sentence_and_no_other() {
    let said = sentences();
    assert!(said.len() > 1000, "only {} sentences are known", said.len());
    for language in Language::all().filter(|language| *language != Language::ENGLISH) {
        let file = catalogue(language).expect("its file");
        let missing: Vec<&&str> =
            said.iter().filter(|text| has_words(text) && !file.contains_key(**text)).collect();
        let dead: Vec<&String> = file.keys().filter(|text| !said.contains(&text.as_str())).collect();
        let other: Vec<&String> = file
            .iter()
            .filter(|(english, theirs)| places(english) != places(theirs))
            .map(|(english, _)| english)
            .collect();
        if let Ok(to) = std::env::var("KOAB_SENTENCES") {
            std::fs::write(to, serde_json::to_string(&said).expect("JSON")).expect("written");
        }
        assert!(missing.is_empty(), "{language:?} lacks {}: {missing:#?}", missing.len());
        assert!(dead.is_empty(), "nobody says {}: {dead:#?}", dead.len());
        assert!(other.is_empty(), "the places differ: {other:#?}");
    }
}
