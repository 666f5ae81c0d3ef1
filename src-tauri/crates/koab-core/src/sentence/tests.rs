use super::*;
use crate::{Say, say};
use proptest::prelude::*;
use serde_json::json;

#[derive(Clone, Debug, thiserror::Error, Say)]
enum Fault {
    #[error("no server answers at {url}: {cause}")]
    Silent { url: String, cause: Sentence },
    #[error("no level has {} letters", .0.len())]
    NoLevel(String),
    #[error("{0}")]
    Other(Sentence),
    #[error(transparent)]
    Inner(#[from] std::num::ParseIntError),
    #[error("cancelled")]
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Say)]
enum Reason {
    #[say("{missing} of {wanted} judge answers are missing")]
    Missing { missing: usize, wanted: usize },
}

#[test]
fn places_take_messages_numbers_and_whatever_can_be_shown() {
    let run = "r1";
    let inner = say!("the run {run} has {count} attempts", count = 3_u64);
    let message = say!("{path:?}: {why}; {share:.1} of {{it}}", path = "a", why = inner, share = 0.25);
    assert_eq!(message, r#""a": the run r1 has 3 attempts; 0.2 of {it}"#);
    assert_eq!(
        serde_json::to_value(&message).unwrap(),
        json!({"text": "{path}: {why}; {share} of {it}", "args": {
            "path": "\"a\"", "share": "0.2",
            "why": {"text": "the run {run} has {count} attempts", "args": {"run": "r1", "count": 3}}
        }})
    );
}

#[test]
fn an_error_says_the_same_as_data_and_as_text() {
    let cause = say!("it is off");
    let faults = [
        Fault::Silent { url: "http://a".to_owned(), cause },
        Fault::NoLevel("L9".to_owned()),
        Fault::Other(say!("{name} is not there", name = "x")),
        "x".parse::<u8>().unwrap_err().into(),
        Fault::Cancelled,
    ];
    for fault in faults {
        assert_eq!(fault.to_sentence(), fault.to_string());
    }
    assert_eq!(Reason::Missing { missing: 1, wanted: 3 }.to_string(), "1 of 3 judge answers are missing");
}

#[test]
fn a_name_stays_a_name_where_a_sentence_has_its_language() {
    let known = "No such file or directory";
    let system = std::io::Error::from_raw_os_error(2).to_sentence();
    assert_eq!(system, "No such file or directory (os error 2)");
    assert!(system.in_language(Language::KOREAN).starts_with("파일이나 폴더가 없습니다"), "{system:?}");
    assert_eq!(
        say!("{name} (os error {code})", name = known, code = 2).in_language(Language::KOREAN),
        "No such file or directory (os error 2)"
    );
}

#[test]
fn what_an_earlier_version_kept_is_a_message() {
    let kept: Sentence = serde_json::from_value(json!("the run {run} is gone")).unwrap();
    assert_eq!(kept, "the run {run} is gone");
}

#[test]
fn files_for_others_have_english() {
    let mut document =
        json!({"error": say!("no run {run}", run = "r"), "text": "a", "args": [1], "many": [say!("b")]});
    in_english(&mut document);
    assert_eq!(document, json!({"error": "no run r", "text": "a", "args": [1], "many": ["b"]}));
}

fn any_sentence() -> impl Strategy<Value = Sentence> {
    let leaf = ".{0,20}".prop_map(Sentence::from);
    leaf.prop_recursive(3, 20, 4, |inner| {
        let arg = prop_oneof![
            ".{0,12}".prop_map(Arg::Text),
            any::<i64>().prop_map(|number| Arg::Number(number.into())),
            inner.clone().prop_map(Arg::Sentence),
            (prop::collection::vec(inner, 0..4), ".{0,3}")
                .prop_map(|(list, between)| Arg::List { list, between }),
        ];
        (".{0,20}", prop::collection::btree_map("[a-z0-9]{1,6}", arg, 0..4))
            .prop_map(|(text, args)| Sentence::from(Filled { text, args }))
    })
}

proptest! {
    #[test]
    fn a_message_is_read_back_as_it_was_written(message in any_sentence()) {
        let written = serde_json::to_string(&message).unwrap();
        prop_assert_eq!(serde_json::from_str::<Sentence>(&written).unwrap(), message);
    }
}

/// The page has the same renderer in `ui/src/shared/sentence.ts`.
#[test]
fn the_page_and_the_engine_render_alike() {
    let cases: Vec<(Sentence, String, String)> = serde_json::from_str(include_str!("cases.json")).unwrap();
    for (sentence, english, korean) in cases {
        assert_eq!(sentence.in_language(Language::ENGLISH), english);
        assert_eq!(sentence.in_language(Language::KOREAN), korean);
    }
}

/// The page has the same particles in `ui/src/shared/particle.ts`.
#[test]
fn a_particle_fits_the_value_before_it() {
    let cases: Vec<[String; 3]> = serde_json::from_str(include_str!("particles.json")).unwrap();
    for [value, both, fitting] in cases {
        let mut filled = value.clone();
        let rest = particle::fit(&mut filled, &both);
        assert_eq!(filled + rest, format!("{value}{fitting}"));
    }
}

/// `tests/messages/eo.json` is all that the tests have of this language.
#[test]
fn one_more_language_is_one_more_file() {
    let esperanto: Language = "eo".parse().unwrap();
    let said = [
        say!("{judge} is {state}", judge = "gpt", state = say!("Permission denied")),
        crate::text!("run").into(),
        say!("no level has {0} letters", "L9".len()),
    ];
    assert_eq!(
        said.map(|sentence| esperanto.say(&sentence)),
        ["Mankas permeso estas gpt", "rulo", "no level has 2 letters"]
    );
    assert_eq!(Language::of_locale("eo_XX.UTF-8"), esperanto);
    assert!(Language::all().any(|language| language == esperanto));
    assert_eq!(serde_json::to_value(esperanto).unwrap(), json!("eo"));
    assert_eq!(Language::of_locale("xx-YY"), Language::ENGLISH);
}

#[test]
fn a_note_tells_two_sentences_apart_and_is_never_shown() {
    let noted = crate::text!("Level", "a test's");
    assert_ne!(noted, crate::text!("Level"));
    assert_eq!(Language::ENGLISH.text(noted), "Level");
    assert_eq!(Sentence::from(noted), "Level");
}
