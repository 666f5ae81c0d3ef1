use super::*;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_phrase_comes_back_as_its_own_korean() {
    assert_eq!(sentence::faults(CATALOGUES), Vec::<String>::new());
}

/// A phrase whose English nobody says any more would silently leave its sentence in English.
#[test]
fn every_phrase_is_still_said_somewhere_in_the_sources() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut files);
    }
    let texts: Vec<String> = files
        .iter()
        .flat_map(|file| literals(&fs::read_to_string(file).unwrap()))
        .collect();
    let said = |english: &str| texts.iter().any(|text| holds(text, english));
    let lost: Vec<&str> = CATALOGUES
        .iter()
        .filter(|catalogue| **catalogue != system::PHRASES)
        .flat_map(|catalogue| catalogue.iter())
        .map(|phrase| phrase.english)
        .filter(|english| !said(english))
        .collect();
    assert_eq!(lost, Vec::<&str>::new());
}

#[test]
fn sentences_are_put_into_korean_in_their_order() {
    let asked = ["no judge was asked", "HTTP 500", "L1 SR: no judge was asked"].map(str::to_owned);
    assert_eq!(
        Api::in_korean(&asked),
        [
            Some("심판에게 묻지 않았습니다".to_owned()),
            None,
            Some("L1 SR: 심판에게 묻지 않았습니다".to_owned())
        ]
    );
}

/// Phrases that only join others cut a sentence at the first place they find; another may know all of it.
#[test]
fn a_sentence_is_korean_as_a_whole_where_it_can_be() {
    let said = korean("there is no keychain: this session has no D-Bus; cancelled before the run began");
    assert_eq!(
        said.unwrap(),
        "키체인이 없습니다. 이 세션에는 D-Bus가 없습니다. 실행을 시작하기 전에 취소했습니다"
    );
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("koab-api/src/korean") {
            sources(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// The texts of a source file, with their escapes resolved. Good enough for ours: no text holds a raw quotation mark.
fn literals(source: &str) -> Vec<String> {
    let (mut texts, mut open) = (Vec::new(), None::<String>);
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match (&mut open, c) {
            (Some(text), '\\') => match chars.next() {
                Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            (Some(_), '"') => texts.extend(open.take()),
            (Some(text), c) => text.push(c),
            (None, '"') => open = Some(String::new()),
            // A quotation mark as a character, escaped or not, opens nothing.
            (None, '\'') => {
                let mut ahead = chars.clone();
                let _ = ahead.next_if_eq(&'\\');
                if ahead.next() == Some('"') && ahead.next() == Some('\'') {
                    chars = ahead;
                }
            }
            (None, '/') if chars.peek() == Some(&'/') => while chars.next_if(|c| *c != '\n').is_some() {},
            _ => {}
        }
    }
    texts
}

/// A window in Korean that says every tenth error in English is not a Korean one.
#[test]
fn every_error_has_its_korean() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        // The command line has its own words, and the imitated model is for tests.
        if !folder.ends_with("koab-cli") && !folder.ends_with("koab-tiny") {
            sources(&folder.join("src"), &mut files);
        }
    }
    let (mut all, mut english) = (0, Vec::new());
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        for error in errors_in(source.split("mod tests {").next().unwrap()) {
            let said = filled(&error);
            if said
                .split(' ')
                .filter(|word| word.chars().filter(char::is_ascii_lowercase).count() > 1)
                .count()
                < 2
            {
                continue;
            }
            all += 1;
            if korean(&said).is_none() {
                english.push(format!("{}: {error}", file.file_name().unwrap().display()));
            }
        }
    }
    assert!(all > 400, "only {all} sentences were found");
    assert!(
        english.is_empty(),
        "{} of {all}:\n{}",
        english.len(),
        english.join("\n")
    );
}

/// The sentences that errors are made with in a source, where they stand in one piece.
fn errors_in(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for marker in ["#[error(", "Error::", "Problem::", "errors."] {
        for (at, _) in source.match_indices(marker) {
            let rest: String = source[at + marker.len()..].chars().take(700).collect();
            let Some((before, _)) = rest.split_once('"') else {
                continue;
            };
            let is_argument = before
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c.is_whitespace() || "_:(!,&.".contains(c));
            if is_argument && (marker == "#[error(" || before.contains('(')) {
                found.extend(literals(&rest).into_iter().next());
            }
        }
    }
    found
}

/// The sentence with something in each place.
fn filled(sentence: &str) -> String {
    let mut said = String::new();
    let mut rest = sentence;
    while let Some((before, place)) = rest.split_once('{') {
        said.push_str(before);
        if let Some(more) = place.strip_prefix('{') {
            said.push('{');
            rest = more;
        } else {
            said.push_str("X1");
            rest = place.split_once('}').map_or("", |(_, more)| more);
        }
    }
    (said + rest).replace("}}", "}")
}

/// Whether the phrase could be said from this text: its own words stand in it in their order.
fn holds(text: &str, english: &str) -> bool {
    let mut rest = text;
    let mut pieces = english.split('{').enumerate().map(|(at, piece)| match at {
        0 => piece,
        _ => piece.split_once('}').map_or(piece, |(_, words)| words),
    });
    pieces.all(|words| match rest.find(words) {
        Some(at) => {
            rest = &rest[at + words.len()..];
            true
        }
        None => false,
    })
}
